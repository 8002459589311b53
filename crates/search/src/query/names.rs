//! Names of fields, English and German.

use crate::fields::TextField;
use crate::query::tree::RangeColumn;
use crate::search::Facet;
use auslese_words::{fold, resemblance};

/// What a name before a colon stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldName {
    Text(TextField),
    Facet(Facet),
    Range(RangeColumn),
    Year,
    /// Classes of any scheme, equal or below.
    Class,
    /// Terms of the scheme of this name.
    Scheme(&'static str),
}

/// All names with what they stand for; the first name of each is the usual one.
pub fn field_names() -> &'static [(&'static [&'static str], FieldName)] {
    NAMES
}

#[rustfmt::skip]
const NAMES: &[(&[&str], FieldName)] = &[
    (&["text", "inhalt"],                                   FieldName::Text(TextField::Text)),
    (&["title", "titel"],                                   FieldName::Text(TextField::Title)),
    (&["heading", "headings", "ueberschrift"],              FieldName::Text(TextField::Headings)),
    (&["abstract", "description", "zusammenfassung", "beschreibung"], FieldName::Text(TextField::Abstract)),
    (&["keyword", "keywords", "subject", "schlagwort", "thema"], FieldName::Text(TextField::Keywords)),
    (&["author", "creator", "autor", "autorin", "verfasser"], FieldName::Text(TextField::Author)),
    (&["institution", "publisher", "einrichtung"],          FieldName::Text(TextField::Institution)),
    (&["anchor", "link", "verweis"],                        FieldName::Text(TextField::Anchors)),
    (&["url", "path", "adresse", "pfad"],                   FieldName::Text(TextField::Address)),
    (&["other", "sonstiges"],                               FieldName::Text(TextField::Other)),
    (&["class", "klasse", "klassifikation"],                FieldName::Class),
    (&["host", "site", "rechner"],                          FieldName::Facet(Facet::Host)),
    (&["lang", "language", "sprache"],                      FieldName::Facet(Facet::Language)),
    (&["type", "typ", "art"],                               FieldName::Facet(Facet::Type)),
    (&["mime", "media", "medientyp"],                       FieldName::Facet(Facet::MediaType)),
    (&["format"],                                           FieldName::Facet(Facet::Format)),
    (&["source", "quelle"],                                 FieldName::Facet(Facet::Source)),
    (&["kept", "behalten"],                                 FieldName::Facet(Facet::Kept)),
    (&["collection", "sammlung"],                           FieldName::Facet(Facet::Collection)),
    (&["date", "datum"],                                    FieldName::Range(RangeColumn::Date)),
    (&["year", "jahr"],                                     FieldName::Year),
    (&["captured", "geholt"],                               FieldName::Range(RangeColumn::Captured)),
    (&["size", "groesse"],                                  FieldName::Range(RangeColumn::Size)),
    (&["versions", "versionen"],                            FieldName::Range(RangeColumn::Versions)),
    (&["msc"],                                              FieldName::Scheme("msc")),
    (&["ddc"],                                              FieldName::Scheme("ddc")),
    (&["udc"],                                              FieldName::Scheme("udc")),
    (&["lcc"],                                              FieldName::Scheme("lcc")),
    (&["rvk"],                                              FieldName::Scheme("rvk")),
    (&["bk"],                                               FieldName::Scheme("bk")),
    (&["pacs"],                                             FieldName::Scheme("pacs")),
    (&["ccs"],                                              FieldName::Scheme("ccs")),
];

/// The field of a name, in whatever case and with umlauts written in whatever way.
pub(super) fn field_named(name: &str) -> Option<FieldName> {
    let name = fold(name);
    NAMES.iter().find(|(names, _)| names.contains(&name.as_str())).map(|(_, field)| *field)
}

/// The name that is most like a wrong one.
pub(super) fn nearest_name(name: &str) -> Option<&'static str> {
    let name = fold(name);
    let likeness = |candidate: &str| resemblance(&name, candidate);
    let all = NAMES.iter().flat_map(|(names, _)| names.iter().copied());
    all.max_by(|a, b| likeness(a).total_cmp(&likeness(b))).filter(|best| likeness(best) >= 0.6)
}
