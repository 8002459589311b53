//! Tells an organisation's name from a person's by the words in it.

/// Whether a name holds a legal form or a word for an institution.
pub(super) fn sounds_like_organization(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower
        .split(|letter: char| !letter.is_alphanumeric() && letter != '&')
        .any(|word| WORDS.contains(&word) || STEMS.iter().any(|stem| word.starts_with(stem)))
        || ENDINGS.iter().any(|ending| lower.trim_end_matches('.').ends_with(ending))
        || PARTS.iter().any(|part| lower.contains(part))
}

/// Legal forms and whole words.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "inc", "ltd", "limited", "llc", "gmbh", "ag", "corp", "co", "plc", "srl", "spa", "bv", "oy", "oyj", "aps", "kft", "zrt",
    "sro", "doo", "ooo", "zao", "oao", "llp", "lp", "pty", "bhd", "sdn", "pte", "sarl", "sas", "kg", "ohg", "ug", "gbr", "ltda",
    "eireli", "sl", "sa", "nv", "ab", "as", "asa", "pvt", "fze", "uab", "ev", "eg", "se", "kgaa", "bvba", "vzw", "asbl", "cic", "jsc", "kk", "inst", "uni", "univ", "fh", "tu",
    "bank", "club", "union", "group", "groupe", "trust", "team", "office", "council", "city", "town", "county", "state", "press",
    "media", "network", "networks", "systems", "solutions", "services", "software", "holding", "holdings", "international",
    "hotel", "school", "college", "museum", "library", "society", "house", "shop", "store", "partners", "&", "clinic",
    "ооо", "тоо", "зао", "оао", "пао", "ао", "тов", "labs", "lab", "studio", "studios", "university", "nic", "isp",
];

/// Beginnings of words.
#[rustfmt::skip]
const STEMS: &[&str] = &[
    "universi", "universz", "institu", "akadem", "academ", "hochschul", "fachhochsch", "colleg", "compan", "corporat", "foundation", "stiftung",
    "associa", "verein", "verband", "minist", "depart", "govern", "hospital", "klinik", "politec", "polytech", "politech", "technolog",
    "gesellschaft", "centre", "center", "centrum", "zentrum", "organi", "agenc", "agentur", "federa", "fundac", "fondation",
    "fundaci", "bibliothe", "societ", "soci\u{e9}t", "stadt", "gemeinde", "landkreis", "kommune", "commission", "committee", "enterpris", "industr",
    "telecom", "telekom", "internet", "registr", "consult", "communic", "computer", "electron", "energ", "laborator", "\u{443}\u{43d}\u{438}\u{432}\u{435}\u{440}\u{441}",
    "\u{444}\u{430}\u{43a}\u{443}\u{43b}\u{44c}\u{442}", "facult", "fakult", "informati", "rechenz", "abteilung", "bereich", "egyetem", "yliopisto", "uniwersytet", "sveu\u{10d}ili", "univerz", "\u{fc}niversit",
];

/// Ends of names whose letters are written with dots or spaces.
const ENDINGS: &[&str] = &[
    " s.a", " s.p.a", " s.r.l", " s.r.o", " b.v", " n.v", " e.v", " d.o.o", " z o.o", " a.s",
    " a/s", " k.k", " s.l", " l.l.c", " c.a",
];

/// Words for universities and companies in scripts that do not separate words.
const PARTS: &[&str] =
    &["大學", "大学", "会社", "公司", "대학교", "주식회사", "法人", "研究所", "학교", "มหาวิทยาลัย"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn organizations_and_people() {
        #[rustfmt::skip]
        let cases = [
            ("Universität Musterstadt",     true),
            ("Example Ltd.",                true),
            ("Beispiel GmbH & Co. KG",      true),
            ("Acme S.p.A.",                 true),
            ("某大學",                      true),
            ("Jane Doe",                    false),
            ("Doe, John",                   false),
            ("Erika Mustermann",            false),
        ];
        for (name, expected) in cases {
            assert_eq!(sounds_like_organization(name), expected, "{name}");
        }
    }
}
