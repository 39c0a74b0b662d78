#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| linesman_fuzz::openings(data));
