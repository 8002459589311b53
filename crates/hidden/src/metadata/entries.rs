//! Names and values of `DB.*` metadata, as a page or a configuration file has them.

use auslese_markup::{Page, Tree, decode, parse};

/// Entries of a page or a file that are read.
pub const MAX_DB_ENTRIES: usize = 10_000;

/// Bytes of a value; longer ones are cut.
pub const MAX_DB_VALUE: usize = 1 << 20;

/// One piece of metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DbEntry {
    /// Without `DB.`, otherwise as written.
    pub name: String,
    pub value: String,
}

impl DbEntry {
    fn new(name: &str, value: &str) -> Option<DbEntry> {
        let (start, rest) = name.trim().split_at_checked(3)?;
        let value = &value[..value.floor_char_boundary(MAX_DB_VALUE)];
        (start.eq_ignore_ascii_case("DB.") && !rest.is_empty())
            .then(|| DbEntry { name: rest.to_owned(), value: value.to_owned() })
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Whether both say the same thing; some things have two names.
    pub(super) fn is_like(&self, other: &DbEntry) -> bool {
        let one_name = |name: &str| match name.to_ascii_lowercase().as_str() {
            "queryelements" => "queryelement".to_owned(),
            "navigationurl" => "navigation".to_owned(),
            name => name.to_owned(),
        };
        one_name(&self.name) == one_name(&other.name)
    }

    /// What stands behind the first dot of the name.
    pub(super) fn suffix(&self) -> &str {
        self.name.split_once('.').map_or("", |(_, suffix)| suffix)
    }
}

/// The metadata in the META tags of a page, wherever they stand.
pub fn page_entries(page: &Page) -> Vec<DbEntry> {
    meta_entries(page.tree()).take(MAX_DB_ENTRIES).collect()
}

fn meta_entries(tree: &Tree) -> impl Iterator<Item = DbEntry> {
    tree.elements_named("meta").filter_map(|(_, meta)| {
        DbEntry::new(meta.attribute("name")?, meta.attribute("content").unwrap_or_default())
    })
}

/// The metadata of a configuration file: lines `DB.Name: value` or META tags, and comments after `#`.
pub fn config_entries(bytes: &[u8]) -> Vec<DbEntry> {
    let (text, _) = decode(bytes, Some("utf-8"));
    let mut entries = Vec::new();
    // A tag may go over several lines, so tags are read from the whole file.
    let tags: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect::<Vec<_>>()
        .join("\n");
    let mut in_tag = false;
    for line in tags.lines() {
        let line = line.trim();
        if line.starts_with('<') || in_tag {
            in_tag = !line.ends_with('>');
            continue;
        }
        if let Some((name, value)) = line.split_once(':') {
            entries.extend(DbEntry::new(name, value.trim()));
        }
    }
    entries.extend(meta_entries(parse(tags.as_bytes(), Some("utf-8")).tree()));
    entries.truncate(MAX_DB_ENTRIES);
    entries
}
