//! Arbitrary patterns and names into the blacklist's matcher: no panic, and no pattern that takes for ever.
#![no_main]

use gpusweep::derive::protection::pattern::{Python, compile};

libfuzzer_sys::fuzz_target!(|input: (&str, &str)| {
    if let Ok(matcher) = compile(input.0, Python::Since311) {
        let _ = matcher.matches(input.1);
    }
});
