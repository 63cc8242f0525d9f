//! Arbitrary frames into the `kernel_log` parser.
#![no_main]

use gpusweep::probe::{Sections, kernel_log};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = kernel_log::parse(&Sections::parse(body));
});
