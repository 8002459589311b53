//! Verdicts and evidence in plain English, for `auslese discover explain` and for lists.

use super::score::{GROUPS, group_strength, reaches, score, strengths};
use auslese_model::{
    Case, Evidence, EvidenceGroup, HostName, Indicator, Membership, OpenQuestion, Verdict,
};

/// The whole explanation of a verdict, line by line.
pub fn explain(verdict: &Verdict) -> Vec<String> {
    let mut lines = vec![headline(verdict), format!("  because {}", verdict.reason)];
    if let Some(case) = verdict.case {
        lines.push(format!("  case {}: {}", case.number(), case_in_words(case)));
    }
    if !verdict.evidence.is_empty() {
        lines.push("  looked at:".to_owned());
        lines.extend(verdict.evidence.iter().map(evidence_line));
    }
    lines.extend(sum_line(verdict));
    if !verdict.open.is_empty() {
        lines.push("  could not be looked at:".to_owned());
        lines.extend(verdict.open.iter().map(open_line));
    }
    let (made, until) = (verdict.at.to_second_text(), verdict.until.to_second_text());
    lines.push(format!("  made {made}, relied on until {until}"));
    lines
}

/// One line for lists: `www.uni.example  member 1.00  net`.
pub fn in_short(verdict: &Verdict) -> String {
    let by = match (verdict.decided_by, verdict.membership) {
        (Some(indicator), _) => indicator.as_str(),
        (None, Membership::Member) => "sum of signs",
        (None, Membership::Unsure) if !verdict.open.is_empty() => "open questions",
        (None, Membership::Unsure) => "between the thresholds",
        (None, Membership::Foreign) => "nothing sufficient found",
    };
    format!("{}  {} {:.2}  {by}", name_in_words(&verdict.host), verdict.membership, verdict.score)
}

/// What spoke for a host: `net 1.00 (198.18.1.10); mail-routing 0.50 (mail exchanger …)`.
pub fn evidence_in_short(evidence: &[Evidence]) -> String {
    let says = evidence.iter().filter(|sign| sign.strength > 0.0);
    let told: Vec<String> = says
        .map(|sign| format!("{} {:.2} ({})", sign.indicator, sign.strength, sign.seen))
        .collect();
    told.join("; ")
}

/// A sign as a sentence without a full stop.
pub fn sentence(evidence: &Evidence) -> String {
    let (seen, compared) = (&evidence.seen, &evidence.compared);
    if evidence.indicator == Indicator::Rule {
        return format!("the rule '{compared}' names it ({})", evidence.source);
    }
    if evidence.strength <= 0.0 {
        return format!("{}: {seen}; {compared}", subject(evidence.indicator));
    }
    match evidence.indicator {
        Indicator::Rule | Indicator::Root => format!("it is {compared}"),
        Indicator::List => format!("it stands in {seen}, {compared}"),
        Indicator::Net => format!("its address {seen} lies in {compared}"),
        Indicator::NameServer => format!("its zone is served by {seen}: {compared}"),
        Indicator::EmailDomain => format!("the mail address {seen} is in {compared}"),
        Indicator::Holder => format!("the registrant {seen} has the name of {compared}"),
        Indicator::PostalAddress => format!("the registrant's address {seen} is {compared}"),
        Indicator::MailRouting => format!("its mail: {seen}, {compared}"),
        Indicator::Certificate => format!("its certificate {seen} {compared}"),
        Indicator::Pointer => format!("its address {seen}: {compared}"),
        Indicator::Redirect => format!("it redirects to {compared}"),
        Indicator::Imprint => format!("its imprint names {compared}"),
        Indicator::Token => format!("its token {seen} is {compared}"),
        Indicator::Links => format!("it {seen}, and {compared}"),
    }
}

/// What an indicator looks at.
fn subject(indicator: Indicator) -> &'static str {
    match indicator {
        Indicator::Rule => "rule",
        Indicator::Root => "domain",
        Indicator::Net => "address",
        Indicator::NameServer => "name servers",
        Indicator::EmailDomain => "registrant's mail address",
        Indicator::Holder => "registrant",
        Indicator::PostalAddress => "registrant's address",
        Indicator::MailRouting => "mail",
        Indicator::Certificate => "certificate",
        Indicator::Pointer => "reverse name",
        Indicator::Redirect => "redirect",
        Indicator::Imprint => "imprint",
        Indicator::Token => "tokens",
        Indicator::Links => "links",
        Indicator::List => "list",
    }
}

pub(crate) fn case_in_words(case: Case) -> &'static str {
    match case {
        Case::InternalLinked => "in the organisation's network, linked by its servers",
        Case::ExternalLinked => "outside the organisation's network, linked",
        Case::InternalOverExternal => {
            "in the organisation's network, linked by servers outside only"
        }
        Case::InternalUnlinked => "in the organisation's network, found without a link",
        Case::ExternalUnlinked => "outside the organisation's network, found without a link",
    }
}

/// A name in punycode is followed by what people read.
pub(crate) fn name_in_words(host: &HostName) -> String {
    let readable = url::quirks::domain_to_unicode(host.as_str());
    match readable.is_empty() || readable == host.as_str() {
        true => host.to_string(),
        false => format!("{host} ({readable})"),
    }
}

/// `a, b and c`.
pub(crate) fn list_of(things: &[&str]) -> String {
    match things {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn headline(verdict: &Verdict) -> String {
    let what = match verdict.membership {
        Membership::Member => "is a member",
        Membership::Foreign => "is foreign",
        Membership::Unsure => "is unsure",
    };
    let label = verdict.label.as_deref().map(|label| format!(" of {label}")).unwrap_or_default();
    format!("{} {what}{label} (score {:.2})", name_in_words(&verdict.host), verdict.score)
}

fn evidence_line(sign: &Evidence) -> String {
    let (name, source) = (sign.indicator.as_str(), &sign.source);
    let (year, month, day) = sign.at.date();
    format!(
        "    {name:<14} {:.2}  {} [{source}, {year:04}-{month:02}-{day:02}]",
        sign.strength,
        sentence(sign)
    )
}

fn open_line(open: &OpenQuestion) -> String {
    format!("    {:<14} {}", open.indicator.as_str(), open.why)
}

/// How the score came about, where it is a sum.
fn sum_line(verdict: &Verdict) -> Option<String> {
    let total = score(&verdict.evidence);
    let strengths = strengths(&verdict.evidence);
    let groups: Vec<(EvidenceGroup, f64)> = GROUPS
        .into_iter()
        .map(|group| (group, group_strength(&strengths, group)))
        .filter(|(_, strength)| *strength > 0.0)
        .collect();
    let is_the_score = reaches(total, verdict.score) && reaches(verdict.score, total);
    if groups.len() < 2 || !is_the_score {
        return None;
    }
    let names: Vec<String> = groups
        .iter()
        .map(|(group, strength)| format!("{} {strength:.2}", group_name(*group)))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let doubts: Vec<String> =
        groups.iter().map(|(_, strength)| format!("{:.2}", 1.0 - strength)).collect();
    Some(format!(
        "  sum: {} leave a doubt of {}, so {total:.2}",
        list_of(&names),
        doubts.join(" × ")
    ))
}

fn group_name(group: EvidenceGroup) -> &'static str {
    match group {
        EvidenceGroup::Hand => "hand",
        EvidenceGroup::Net => "network",
        EvidenceGroup::NameServer => "name servers",
        EvidenceGroup::Registrant => "registrant",
        EvidenceGroup::Web => "web",
        EvidenceGroup::Mail => "mail",
    }
}
