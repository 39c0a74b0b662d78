//! What the README shows of a terminal is what one sees.

use crate::support::{LINESMAN, project};

#[test]
fn the_sessions_in_the_readme_run_as_they_stand_there() {
    trycmd::TestCases::new()
        .register_bin("linesman", std::path::PathBuf::from(LINESMAN))
        .env("NO_COLOR", "1")
        .case(project().join("README.md"));
}
