//! Arbitrary frames into the `dpkg_log` parser.
#![no_main]

use gpusweep::probe::{Sections, dpkg_log};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = dpkg_log::parse(&Sections::parse(body));
});
