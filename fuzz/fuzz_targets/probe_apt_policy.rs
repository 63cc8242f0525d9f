//! Arbitrary frames into the `apt_policy` parser.
#![no_main]

use gpusweep::probe::{Sections, apt_policy};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = apt_policy::parse(&Sections::parse(body));
});
