//! Arbitrary frames into the `modprobe` parser.
#![no_main]

use gpusweep::probe::{Sections, modprobe};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = modprobe::parse(&Sections::parse(body));
});
