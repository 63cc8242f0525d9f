//! Arbitrary frames into the `pci` parser.
#![no_main]

use gpusweep::probe::{Sections, pci};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = pci::parse(&Sections::parse(body));
});
