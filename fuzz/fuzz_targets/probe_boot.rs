//! Arbitrary frames into the `boot` parser.
#![no_main]

use gpusweep::probe::{Sections, boot};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = boot::parse(&Sections::parse(body));
});
