//! Any bytes as SOIF; what is read strictly can be written and read again, and is written the same then. (The first
//! writing leaves out empty values and replaces signs that would end a name or an address.)

#![no_main]

use auslese_model::{SoifObject, read_soif, read_soif_lenient, write_soif};
use libfuzzer_sys::fuzz_target;

fn written(objects: &[SoifObject]) -> Vec<u8> {
    let mut written = Vec::new();
    objects.iter().for_each(|object| write_soif(object, &mut written));
    written
}

fuzz_target!(|bytes: &[u8]| {
    read_soif_lenient(bytes);
    let Ok(objects) = read_soif(bytes) else { return };
    let first = written(&objects);
    let again = read_soif(&first).expect("what was written can be read");
    assert_eq!(written(&again), first);
});
