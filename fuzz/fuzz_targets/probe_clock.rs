//! Arbitrary frames into the `clock` parser.
#![no_main]

use gpusweep::probe::{Sections, clock};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = clock::parse(&Sections::parse(body));
});
