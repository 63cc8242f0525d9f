//! Arbitrary frames into the `updater` parser.
#![no_main]

use gpusweep::probe::{Sections, updater};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = updater::parse(&Sections::parse(body));
});
