//! `linesman check --host`: checks this machine.

use std::io::Write;
use std::path::PathBuf;

use super::super::args::Format;
use super::super::env;
use super::super::error::{Exit, Failure};
use super::super::ui::Ui;
use crate::check::host::{Grade, HostFinding, inspect};
use crate::process::isolation::{Sandbox, SandboxPlan};
use crate::report::table::{Cell, Column, Table};

pub(super) fn run(format: Format, ui: &mut Ui) -> Result<Exit, Failure> {
    let binary = env::find_own_binary()?;
    let temporary = PathBuf::from(env::for_bots().temporary);
    let users = env::bot_users().map_err(Failure::wrong)?;
    let sandbox = SandboxPlan::find(Sandbox::Auto, &binary, &temporary, users).confirm();
    let findings =
        inspect(&sandbox).map_err(|error| Failure::wrong("can't check this machine").cause(error))?;
    match format {
        Format::Table => ui.data().write_all(table(&findings).to_text(ui.data_width()).as_bytes())?,
        Format::Csv => table(&findings).write_csv(ui.data())?,
        Format::Json => ui.print_json(&table(&findings))?,
    }
    if let Ok(status) = &sandbox {
        ui.note(status);
    }
    let is_bad = findings.iter().any(|finding| finding.grade == Grade::Bad);
    Ok(if is_bad { Exit::No } else { Exit::Done })
}

fn table(findings: &[HostFinding]) -> Table {
    Table::of(
        [
            Column::text("what").of(|finding: &HostFinding| Cell::text(finding.what)),
            Column::text("grade").of(|finding: &HostFinding| Cell::text(finding.grade.word())),
            Column::text("found").of(|finding: &HostFinding| Cell::text(&finding.found)),
            Column::text("cure").of(|finding: &HostFinding| Cell::maybe(finding.cure.as_deref(), Cell::text)),
        ],
        findings,
    )
}
