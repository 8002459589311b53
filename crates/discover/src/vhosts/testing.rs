//! What the tests of all readers share: a text with files it may include, and a report in short.

use super::files::{Include, Loaded, SourceFile};
use super::report::{VhostReport, WhyReported};
use super::{VhostFormat, apache, read_text};

/// Reads a text as if it stood at a path; other files are given with the pattern that includes them.
pub(super) fn read(
    format: VhostFormat,
    path: &str,
    text: &str,
    files: &[(&str, &str)],
) -> VhostReport {
    let source = SourceFile { path: path.into(), text: text.to_owned() };
    let mut load = |include: &Include<'_>| -> Loaded {
        let wanted = files.iter().filter(|(pattern, _)| *pattern == include.pattern);
        let file = |(name, text): &(&str, &str)| SourceFile {
            path: include.base.join(name),
            text: (*text).to_owned(),
        };
        wanted.map(|found| Ok(file(found))).collect()
    };
    let environment = apache::Environment::read("export SITE=www.uni.example\n");
    read_text(&source, format, &environment, &mut load).into_report(format, 1)
}

pub(super) fn names(report: &VhostReport) -> Vec<&str> {
    report.names.iter().map(|found| found.name.as_str()).collect()
}

pub(super) fn reported(report: &VhostReport) -> Vec<(&str, WhyReported)> {
    report.reported.iter().map(|reported| (reported.text.as_str(), reported.why)).collect()
}

pub(super) fn reasons(report: &VhostReport) -> Vec<WhyReported> {
    report.reported.iter().map(|reported| reported.why).collect()
}
