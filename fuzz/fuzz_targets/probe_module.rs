//! Arbitrary frames into the `module` parser.
#![no_main]

use gpusweep::probe::{Sections, module};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = module::parse(&Sections::parse(body));
});
