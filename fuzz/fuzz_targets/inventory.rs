//! Arbitrary text into the YAML reader that inventories and playbooks share.
#![no_main]

use gpusweep::yaml::{Source, read};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(source) = Source::new("fuzzed.yaml", bytes) {
        let _ = read(&source);
    }
});
