//! Scripts whose first line names their interpreter.

/// Returns the hint for a script whose first line ends with a carriage return.
pub fn without_carriage_returns(file: &str) -> String {
    format!("run `sed -i 's/\\r$//' {file}`: its first line ends as on Windows, with `\\r`")
}
