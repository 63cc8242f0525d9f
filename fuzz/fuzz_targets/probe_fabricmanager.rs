//! Arbitrary frames into the `fabricmanager` parser.
#![no_main]

use gpusweep::probe::{Sections, fabricmanager};

libfuzzer_sys::fuzz_target!(|body: &str| {
    let _ = fabricmanager::parse(&Sections::parse(body));
});
