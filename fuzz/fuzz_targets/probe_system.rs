//! Arbitrary frames into the `system` parser.
#![no_main]

use gpusweep::probe::{Sections, system};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = system::parse(&Sections::parse(body));
});
