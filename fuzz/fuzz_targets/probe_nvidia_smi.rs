//! Arbitrary frames into the `nvidia_smi` parser.
#![no_main]

use gpusweep::probe::{Sections, nvidia_smi};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = nvidia_smi::parse(&Sections::parse(body));
});
