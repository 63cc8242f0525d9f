//! Arbitrary frames into the `persistenced` parser.
#![no_main]

use gpusweep::probe::{Sections, persistenced};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = persistenced::parse(&Sections::parse(body));
});
