//! Arbitrary frames into the `apt_history` parser.
#![no_main]

use gpusweep::probe::{Sections, apt_history};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = apt_history::parse(&Sections::parse(body));
});
