//! Arbitrary bytes into the transcript reader, with and without a known marker.
#![no_main]

use gpusweep::transcript::Transcript;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let free = Transcript::parse(bytes, None);
    assert!(!free.complete || free.started);
    let bound = Transcript::parse(bytes, Some("%%0123456789abcdef"));
    assert!(bound.frames.len() <= bytes.len());
});
