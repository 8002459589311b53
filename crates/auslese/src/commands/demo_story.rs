//! What the demo tells a newcomer: at each stage, what is done and what it brought.

use super::crawl_plan::Plan;
use super::discover::{Found, host_table, profile_text};
use super::findings::{Amount, Findings, Repeat};
use super::rounds::Changed;
use super::stats::{Table, table_text};
use super::status::{classes_text, failure_table};
use crate::messages::Harmless;
use crate::{output, size_text};
use auslese_catalog::VersionChange;
use auslese_harvest::CrawlReport;
use auslese_model::{Membership, Verdict};
use auslese_testnet::Internet;
use std::path::Path;

/// Examples of repeated content that are shown.
const REPEATS_SHOWN: usize = 3;

pub(crate) fn net_only(file: &Path, seeds: &[&str]) -> String {
    let file = file.display();
    let mut text = format!(
        "The simulated internet is running until Ctrl-C; {file} leads to it. \
         In another terminal:\n\n"
    );
    text.push_str(&format!(
        "  auslese init uni-hohenwerth.example --contact you@archive.example --dir harvest --net {file}\n  \
         auslese run --dir harvest --delay 10ms\n"
    ));
    for (seed, dir) in seeds.iter().zip(["first", "second"]) {
        text.push_str(&format!("  auslese crawl {seed} --delay 0 --dir {dir} --net {file}\n"));
    }
    text + &format!("  auslese doctor --net {file}\n")
}

pub(crate) fn beginning(internet: &Internet, plan: &Plan, dir: &Path) -> String {
    let dir = dir.display();
    let mut text = format!(
        "The internet\n  {} web sites, {} registries, a name server and a certificate authority, \
         simulated in this process\n\nThe harvest\n  {dir}/auslese.toml names the institutions:\n",
        internet.sites().len(),
        internet.registries().len()
    );
    for institution in &plan.config.harvest.institutions {
        text.push_str(&format!("    {}: begins at {}\n", institution.label, institution.root));
    }
    text + &format!("\nDiscover: as `auslese discover --dir {dir}` does it\n")
}

/// Who the institutions are, and which hosts were found without a link.
pub(crate) fn discovered(found: &Found) -> String {
    let mut text = String::new();
    for profile in &found.profiles {
        push_indented(&mut text, &profile_text(profile));
        text.push('\n');
    }
    let members = found.hosts.iter().filter(|it| it.membership == Membership::Member).count();
    text.push_str(&format!(
        "  {} hosts found without a link (reverse names, a scan, certificates, files); {members} \
         of them belong\n",
        found.hosts.len()
    ));
    text
}

pub(crate) fn crawling(dir: &Path) -> String {
    format!("\nCrawl: as `auslese crawl --dir {}` does it\n", dir.display())
}

/// The verdicts on all hosts that were met.
pub(crate) fn belonging(verdicts: &[Verdict]) -> String {
    let mut text = String::from("\n  Every host that was met, and whether it belongs:\n");
    push_indented(&mut text, &host_table(verdicts));
    text
}

fn push_indented(text: &mut String, lines: &str) {
    for line in lines.lines() {
        text.push_str(if line.is_empty() { "" } else { "  " });
        text.push_str(line);
        text.push('\n');
    }
}

pub(crate) fn crawled(report: &CrawlReport, findings: &Findings) -> String {
    let status = &report.status;
    let mut text = format!(
        "  {} answers in {:.1} s ({}), {}\n",
        status.captures,
        report.numbers.seconds,
        classes_text(status),
        size_text::format(status.bytes),
    );
    push_hosts(&mut text, findings);
    push_types(&mut text, findings);
    push_oddities(&mut text, findings);
    push_repeats(&mut text, &findings.repeats);
    push_circles(&mut text, &findings.circles);
    push_lost(&mut text, report);
    Harmless(text).to_string()
}

pub(crate) fn archive(dir: &Path) -> String {
    format!("\nArchive: as `auslese archive verify --dir {}` does it\n", dir.display())
}

pub(crate) fn index(index: &Path) -> String {
    format!("{}: the index of all captures (CDXJ), as replay software reads it\n", index.display())
}

pub(crate) fn choosing(dir: &Path) -> String {
    format!(
        "\nCorpus: as `auslese corpus --dir {}` does it; auslese.toml asks for German pages\n",
        dir.display()
    )
}

pub(crate) fn chosen(report: &str) -> String {
    let mut text = String::new();
    push_indented(&mut text, report);
    text
}

pub(crate) fn tables(tables: &[Table]) -> String {
    let mut text = String::new();
    for table in tables {
        text.push('\n');
        push_indented(&mut text, &table_text(table));
    }
    text
}

pub(crate) fn databases(dir: &Path) -> String {
    format!(
        "\nDatabases: as `auslese hidden run --dir {}` does it; what their providers agree to, and one \
         search form that may be tried\n",
        dir.display()
    )
}

pub(crate) fn describing(dir: &Path) -> String {
    format!(
        "\nDescriptions: as `auslese describe --dir {}` does it; first with the heuristics of the \
         paper, then with the default ones\n",
        dir.display()
    )
}

pub(crate) fn second_round(dir: &Path) -> String {
    format!(
        "\nSome time later: as `auslese recrawl --dir {}` does it; some pages have changed\n",
        dir.display()
    )
}

/// What the second round found.
pub(crate) fn changed(changed: &Changed) -> String {
    let counts: Vec<String> = changed
        .counts
        .iter()
        .map(|(change, count)| format!("{count} {}", change.as_str()))
        .collect();
    let mut text = format!("  {}\n", counts.join(", "));
    for (change, url) in &changed.documents {
        text.push_str(&format!("    {:9}  {url}\n", change.as_str()));
    }
    text
}

pub(crate) fn searching(dir: &Path) -> String {
    format!(
        "\nSearch: as `auslese search index --dir {}` does it; two vocabularies and a concordance between \
         them are imported before\n",
        dir.display()
    )
}

/// A question, as its answer follows.
pub(crate) fn question(query: &str) -> String {
    format!("\n  auslese search {query}\n")
}

pub(crate) fn further(dir: &Path, example: &str, changed: &Changed) -> String {
    let dir = dir.display();
    let version = changed.documents.iter().find(|(change, _)| *change == VersionChange::Changed);
    let version = version.map_or(example, |(_, url)| url);
    format!(
        "\nLook further\n  \
         {dir}/mirror/ holds the corpus as files; {dir}/mirror/@auslese/index.html is its start page\n  \
         auslese status --dir {dir}\n  \
         auslese why {example} --dir {dir}\n  \
         auslese search Mühle --facet host --why --dir {dir}\n  \
         auslese search transfer explain Berufsverkehr --dir {dir}\n  \
         auslese hidden list --dir {dir}\n  \
         auslese hidden show http://geographie.uni-hohenwerth.example/hotels/ --dir {dir}\n  \
         auslese search 'source:database Pension' --dir {dir}\n  \
         auslese kwic 'universität*' --sort R1 --dir {dir}\n  \
         auslese citations --dir {dir}\n  \
         auslese heuristics explain http://soziologie.uni-hohenwerth.example/projekte/migration.html --dir {dir}\n  \
         auslese runs compare --dir {dir}\n  \
         auslese versions {version} --dir {dir}\n  \
         auslese rounds compare --dir {dir}\n  \
         auslese stats all --format html --out statistics.html --dir {dir}\n  \
         auslese discover explain www.institut-gewaesser.example --dir {dir}\n  \
         auslese demo --net-only    (and any command with --net auslese-net.toml)\n"
    )
}

fn push_hosts(text: &mut String, findings: &Findings) {
    let rows = findings.hosts.iter().flat_map(|(label, hosts)| {
        let label = if label.is_empty() { "–" } else { label };
        hosts.iter().map(move |(host, amount)| {
            [label.to_owned(), host.clone(), amount.captures.to_string(), data(amount)]
        })
    });
    push_table(text, ["institution", "server", "answers", "data"], rows);
}

fn push_types(text: &mut String, findings: &Findings) {
    let mut types: Vec<_> = findings.media_types.iter().collect();
    types.sort_by_key(|(name, amount)| (std::cmp::Reverse(amount.captures), *name));
    let rows = types
        .into_iter()
        .map(|(name, amount)| [name.clone(), amount.captures.to_string(), data(amount)]);
    push_table(text, ["media type", "answers", "data"], rows);
}

fn push_oddities(text: &mut String, findings: &Findings) {
    let rows = findings.oddities.iter().map(|(kind, group)| {
        [kind.clone(), group.count.to_string(), format!("{} ({})", group.url, group.detail)]
    });
    push_table(text, ["oddity of a server", "answers", "example"], rows);
}

fn push_repeats(text: &mut String, repeats: &[Repeat]) {
    if repeats.is_empty() {
        return;
    }
    let others: usize = repeats.iter().map(|repeat| repeat.others.len()).sum();
    text.push_str(&format!("\n  {others} addresses repeat the content of another:\n"));
    for repeat in repeats.iter().take(REPEATS_SHOWN) {
        text.push_str(&format!("    {} = {}\n", repeat.first, repeat.others.join(" = ")));
    }
}

fn push_circles(text: &mut String, circles: &[Vec<String>]) {
    if circles.is_empty() {
        return;
    }
    text.push_str("\n  Redirects that go round in circles; each address was asked for once:\n");
    for circle in circles {
        text.push_str(&format!("    {} → …\n", circle.join(" → ")));
    }
}

fn push_lost(text: &mut String, report: &CrawlReport) {
    for line in failure_table(&report.status.failures).lines() {
        text.push_str(if line.is_empty() { "" } else { "  " });
        text.push_str(line);
        text.push('\n');
    }
}

fn push_table<const N: usize>(
    text: &mut String,
    head: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) {
    let rows: Vec<[String; N]> = std::iter::once(head.map(str::to_owned)).chain(rows).collect();
    if rows.len() == 1 {
        return;
    }
    text.push('\n');
    for line in output::columns(&rows).lines() {
        text.push_str(&format!("  {line}\n"));
    }
}

fn data(amount: &Amount) -> String {
    size_text::format(amount.bytes)
}
