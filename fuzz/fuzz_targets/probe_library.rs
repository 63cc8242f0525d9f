//! Arbitrary frames into the `library` parser.
#![no_main]

use gpusweep::probe::{Sections, library};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = library::parse(&Sections::parse(body));
});
