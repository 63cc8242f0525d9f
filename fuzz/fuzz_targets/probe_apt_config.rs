//! Arbitrary frames into the `apt_config` parser.
#![no_main]

use gpusweep::probe::{Sections, apt_config};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = apt_config::parse(&Sections::parse(body));
});
