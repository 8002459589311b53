//! Any bytes as SOIF; what is read strictly can be written, and is read again the same, but for attributes
//! without a value, which are not written.

#![no_main]

use auslese_model::{read_soif, read_soif_lenient, write_soif};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    read_soif_lenient(bytes);
    let Ok(mut objects) = read_soif(bytes) else { return };
    for object in &mut objects {
        object.attributes.retain(|attribute| !attribute.value.is_empty());
    }
    let mut written = Vec::new();
    objects.iter().for_each(|object| write_soif(object, &mut written));
    assert_eq!(read_soif(&written).as_ref(), Ok(&objects));
});
