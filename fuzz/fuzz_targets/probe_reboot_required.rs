//! Arbitrary frames into the `reboot_required` parser.
#![no_main]

use gpusweep::probe::{Sections, reboot_required};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = reboot_required::parse(&Sections::parse(body));
});
