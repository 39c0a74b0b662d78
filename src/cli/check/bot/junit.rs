//! The results of a check as JUnit XML for continuous integration.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::CheckReport;
use super::sentences::{figures, reason};
use super::{evidence, name};
use crate::check::bot::{ItemOutcome, ItemResult};
use crate::record::text::printable;

/// Replaces characters that XML can't represent.
fn text_of(text: &str) -> String {
    let is_allowed = |c: &char| !matches!(c, '\u{fffe}' | '\u{ffff}') && (!c.is_control() || *c == '\n');
    text.chars().map(|c| if is_allowed(&c) { c } else { '\u{fffd}' }).collect()
}

pub(super) fn xml(report: &CheckReport) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let (tests, failures) = (report.results.len().to_string(), report.failed().to_string());
    let (skipped, time) = (report.skipped().to_string(), format!("{:.3}", report.seconds));
    let command = text_of(&printable(&report.command_line, usize::MAX));
    let counts = [("tests", &*tests), ("failures", &*failures), ("errors", "0")];
    let rest = [("skipped", &*skipped), ("time", &*time)];
    let totals = || counts.into_iter().chain(rest);
    let suites = writer.create_element("testsuites").with_attribute(("name", "linesman check"));
    suites.with_attributes(totals()).write_inner_content(|writer| {
        let suite = writer.create_element("testsuite").with_attribute(("name", &*command));
        suite.with_attributes(totals()).write_inner_content(|writer| {
            report.results.iter().try_for_each(|result| write_case(writer, report, result))
        })?;
        Ok(())
    })?;
    let mut document = writer.into_inner();
    document.push(b'\n');
    Ok(document)
}

fn write_case(writer: &mut Writer<Vec<u8>>, report: &CheckReport, result: &ItemResult) -> io::Result<()> {
    let (name, time) = (name(result), format!("{:.3}", result.took.as_secs_f64()));
    let reason = text_of(&reason(result).unwrap_or_default());
    let case = writer.create_element("testcase").with_attributes([
        ("classname", "linesman.check"),
        ("name", &*name),
        ("time", &*time),
    ]);
    case.write_inner_content(|writer| {
        match &result.outcome {
            ItemOutcome::Passed => {}
            ItemOutcome::Skipped(_) => {
                writer.create_element("skipped").with_attribute(("message", &*reason)).write_empty()?;
            }
            ItemOutcome::Failed(failure) => {
                let kind = failure.fault_record().map_or("problem", |fault| fault.word());
                let mut lines = vec![reason.clone()];
                lines.extend(evidence(failure));
                lines.extend(report.advice(result).map(|advice| format!("advice: {advice}")));
                let element = writer.create_element("failure");
                element
                    .with_attributes([("message", &*reason), ("type", kind)])
                    .write_text_content(BytesText::new(&text_of(&lines.join("\n"))))?;
            }
        }
        let figures = figures(&result.observed);
        if !figures.is_empty() {
            let text = text_of(&figures.join("\n"));
            writer.create_element("system-out").write_text_content(BytesText::new(&text))?;
        }
        Ok(())
    })?;
    Ok(())
}
