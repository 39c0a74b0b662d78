//! Links the unoptimised program at a fixed address. The tests start it some 20,000 times, and it starts in 3.5 ms
//! there and in 5.3 where 190,000 addresses have to be set first.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if is("PROFILE", "debug") && is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

#[expect(clippy::disallowed_methods, reason = "these are cargo's, the program's are in `cli::env`")]
fn is(variable: &str, value: &str) -> bool {
    std::env::var(variable).is_ok_and(|it| it == value)
}
