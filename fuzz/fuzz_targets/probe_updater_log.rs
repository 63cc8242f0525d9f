//! Arbitrary frames into the `updater_log` parser.
#![no_main]

use gpusweep::probe::{Sections, updater_log};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = updater_log::parse(&Sections::parse(body));
});
