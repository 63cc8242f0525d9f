//! Arbitrary frames into the `apt_files` parser.
#![no_main]

use gpusweep::probe::{Sections, apt_files};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = apt_files::parse(&Sections::parse(body));
});
