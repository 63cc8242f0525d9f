//! Arbitrary frames into the `apt_preferences` parser.
#![no_main]

use gpusweep::probe::{Sections, apt_preferences};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = apt_preferences::parse(&Sections::parse(body));
});
