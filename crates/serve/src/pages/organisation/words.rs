//! Verdicts and their evidence in words of both languages. What was seen stays as it was seen.

use crate::reasons::{german, reason};
use crate::view::View;
use auslese_discover::judge::sentence;
use auslese_model::{Case, Evidence, Indicator, Membership, Verdict};
use maud::{Markup, html};

pub(super) fn membership_name(view: &View, membership: Option<Membership>) -> &'static str {
    match membership {
        Some(Membership::Member) => view.say("belongs", "gehört dazu"),
        Some(Membership::Foreign) => view.say("does not belong", "gehört nicht dazu"),
        Some(Membership::Unsure) => view.say("unsure", "unsicher"),
        None => view.say("not judged", "nicht beurteilt"),
    }
}

pub(super) fn membership_tag(view: &View, membership: Option<Membership>) -> Markup {
    let class = match membership {
        Some(Membership::Member) => "good",
        Some(Membership::Foreign) => "bad",
        Some(Membership::Unsure) => "doubt",
        None => "",
    };
    html! { span class={ "tag " (class) } { (membership_name(view, membership)) } }
}

pub(super) fn case_in_words(view: &View, case: Case) -> &'static str {
    match case {
        Case::InternalLinked => view.say(
            "in the organisation's network, linked by its servers",
            "im Netz der Organisation, von ihren Servern verlinkt",
        ),
        Case::ExternalLinked => view.say(
            "outside the organisation's network, linked",
            "außerhalb des Netzes der Organisation, verlinkt",
        ),
        Case::InternalOverExternal => view.say(
            "in the organisation's network, linked by servers outside only",
            "im Netz der Organisation, nur von Servern außerhalb verlinkt",
        ),
        Case::InternalUnlinked => view.say(
            "in the organisation's network, found without a link",
            "im Netz der Organisation, ohne Verweis gefunden",
        ),
        Case::ExternalUnlinked => view.say(
            "outside the organisation's network, found without a link",
            "außerhalb des Netzes der Organisation, ohne Verweis gefunden",
        ),
    }
}

pub(super) fn indicator_name(view: &View, indicator: Indicator) -> &'static str {
    match indicator {
        Indicator::Rule => view.say("Rule", "Regel"),
        Indicator::Root => view.say("Domain", "Domain"),
        Indicator::Net => view.say("Network", "Netz"),
        Indicator::NameServer => view.say("Name servers", "Nameserver"),
        Indicator::EmailDomain => view.say("Registrant's mail address", "Mailadresse des Inhabers"),
        Indicator::Holder => view.say("Registrant", "Inhaber"),
        Indicator::PostalAddress => view.say("Registrant's address", "Anschrift des Inhabers"),
        Indicator::MailRouting => view.say("Mail", "Mail"),
        Indicator::Certificate => view.say("Certificate", "Zertifikat"),
        Indicator::Pointer => view.say("Reverse name", "Rückwärtsname"),
        Indicator::Redirect => view.say("Redirect", "Weiterleitung"),
        Indicator::Imprint => view.say("Imprint", "Impressum"),
        Indicator::Token => view.say("Tokens", "Kennungen"),
        Indicator::Links => view.say("Links", "Verweise"),
        Indicator::List => view.say("List", "Liste"),
    }
}

/// A sign as a sentence.
pub(super) fn evidence_sentence(view: &View, evidence: &Evidence) -> String {
    let words: [fn(&Evidence) -> String; 2] = [sentence, german_sentence];
    view.say(words[0], words[1])(evidence)
}

/// The ground of a verdict. Where one sign settled it, that is the sentence of the sign.
pub(super) fn verdict_reason(view: &View, verdict: &Verdict) -> Markup {
    match verdict.evidence.iter().find(|sign| sentence(sign) == verdict.reason) {
        Some(sign) => html! { (evidence_sentence(view, sign)) },
        None => reason(view, &verdict.reason),
    }
}

fn german_sentence(evidence: &Evidence) -> String {
    let Evidence { source, .. } = evidence;
    let (seen, compared) = (&german(&evidence.seen), &german(&evidence.compared));
    if evidence.indicator == Indicator::Rule {
        return format!("die Regel „{compared}“ nennt ihn ({source})");
    }
    if evidence.strength <= 0.0 {
        return format!("spricht nicht dafür: {seen}; {compared}");
    }
    match evidence.indicator {
        Indicator::Rule | Indicator::Root => german_root(&evidence.compared),
        Indicator::List => format!("er steht in {seen}, {compared}"),
        Indicator::Net => {
            format!("seine Adresse {seen} liegt in {}", compared.replacen(" of ", " von ", 1))
        }
        Indicator::NameServer => format!("seine Zone wird von {seen} bedient: {compared}"),
        Indicator::EmailDomain => format!("die Mailadresse {seen} liegt in {compared}"),
        Indicator::Holder => format!("der Inhaber {seen} heißt wie {compared}"),
        Indicator::PostalAddress => format!("die Anschrift {seen} des Inhabers ist {compared}"),
        Indicator::MailRouting => format!("seine Mail: {seen}, {compared}"),
        Indicator::Certificate => format!("sein Zertifikat {seen} {compared}"),
        Indicator::Pointer => format!("seine Adresse {seen}: {compared}"),
        Indicator::Redirect => format!("er leitet weiter zu {compared}"),
        Indicator::Imprint => format!("sein Impressum nennt {compared}"),
        Indicator::Token => format!("seine Kennung {seen} ist {compared}"),
        Indicator::Links => format!("er {seen}, und {compared}"),
    }
}

fn german_root(compared: &str) -> String {
    let below = compared.strip_prefix("under ").and_then(|rest| rest.split_once(','));
    match below {
        Some((domain, _)) => format!("er liegt unter {domain}, einer Domain der Organisation"),
        None => "er ist der Ausgangspunkt, durch den die Organisation benannt ist".to_owned(),
    }
}

/// What settled a verdict, in a few words.
pub(super) fn decided_in_words(
    view: &View,
    membership: Membership,
    decided_by: Option<Indicator>,
    is_open: bool,
) -> &'static str {
    match (decided_by, membership) {
        (Some(indicator), _) => indicator_name(view, indicator),
        (None, Membership::Member) => view.say("sum of signs", "Summe der Anzeichen"),
        (None, Membership::Unsure) if is_open => view.say("open questions", "offene Fragen"),
        (None, Membership::Unsure) => view.say("between the thresholds", "zwischen den Schwellen"),
        (None, Membership::Foreign) => {
            view.say("nothing sufficient found", "nichts Ausreichendes gefunden")
        }
    }
}

/// A host with its letters, where it is written in codes.
pub(super) fn readable_host(host: &str) -> String {
    if !host.contains("xn--") {
        return host.to_owned();
    }
    let readable = url::quirks::domain_to_unicode(host);
    if readable.is_empty() { host.to_owned() } else { readable }
}
