//! Arbitrary frames into the `dkms` parser.
#![no_main]

use gpusweep::probe::{Sections, dkms};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = dkms::parse(&Sections::parse(body));
});
