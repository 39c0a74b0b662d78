//! Scripts whose first line names their interpreter.

/// The cure for a script whose first line names an interpreter with a carriage return at its end.
pub fn without_carriage_returns(file: &str) -> String {
    format!("run `sed -i 's/\\r$//' {file}`: its first line ends as on Windows, with `\\r`")
}
