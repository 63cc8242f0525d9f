//! Arbitrary frames into the `kernels` parser.
#![no_main]

use gpusweep::probe::{Sections, kernels};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = kernels::parse(&Sections::parse(body));
});
