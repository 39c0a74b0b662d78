#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| linesman_fuzz::referee_lines(data));
