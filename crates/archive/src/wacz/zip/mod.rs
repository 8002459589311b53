//! Zip files, as much of them as web archives need: entries that are stored or deflated, of any size and number.
//!
//! Written are files whose headers say everything, so that readers of any kind can take them (APPNOTE 6.3, with zip64
//! only where a number is too large without). Read are files of strangers: whatever the directory claims is compared
//! with the file before anything is unpacked, and what is unpacked is compared with what was claimed.

mod reading;
#[cfg(test)]
mod tests;
mod writing;

pub(crate) use reading::ZipFile;
pub(crate) use writing::{Method, ZipWriter};

const LOCAL_HEADER: u32 = 0x0403_4b50;
const CENTRAL_HEADER: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END_64: u32 = 0x0606_4b50;
const LOCATOR_64: u32 = 0x0706_4b50;

/// Lengths of the fixed parts.
const LOCAL_LENGTH: usize = 30;
const CENTRAL_LENGTH: usize = 46;
const END_LENGTH: usize = 22;
const END_64_LENGTH: usize = 56;
const LOCATOR_64_LENGTH: usize = 20;

/// The number of the extra field with large numbers.
const EXTRA_64: u16 = 1;

/// Numbers that say: look into the extra field.
const LARGE_16: u16 = u16::MAX;
const LARGE_32: u32 = u32::MAX;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// Flags of an entry: it is encrypted; its name is UTF-8.
const ENCRYPTED: u16 = 1;
const UTF_8: u16 = 1 << 11;
