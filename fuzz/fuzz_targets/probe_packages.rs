//! Arbitrary frames into the `packages` parser.
#![no_main]

use gpusweep::probe::{Sections, packages};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = packages::parse(&Sections::parse(body));
});
