//! The table `[corpus]`: which documents belong to the corpus, and what is made of them.

use super::language_table::LanguageTable;
use super::schema::Kind::{self, Choice, List, Size, Switch, Text, Whole};
use super::schema::Preset::{Is, OrNone};
use super::schema::Table;
use super::tables::{COUNT, SHARE, setting};
use super::text_forms::{ADDRESS_PATTERN, LANGUAGE_TAG, MEDIA_TYPE, WORDS};
use auslese_corpus::{CharsetNote, CorpusRules};
use serde::Deserialize;

const CHOICE: Kind = Choice(&["keep", "leave"]);

#[rustfmt::skip]
pub(super) const CORPUS: Table = Table { path: "corpus", about: "Which documents belong to the corpus; the archive keeps the others all the same.", settings: &[
    setting("mime_types", List(&Text(MEDIA_TYPE)), Is("[\"text/html\", \"application/xhtml+xml\"]"),
        "Media types that are kept, such as \"text/html\" or \"text/*\"; [] for all."),
    setting("unwanted_suffixes", List(&Text(WORDS)), Is("[\".7z\", \".aif\", \".arj\", \".avi\", \".bin\", \".bmp\", \".bz2\", \".cab\", \".class\", \".deb\", \".dll\", \".dmg\", \".exe\", \".gif\", \".gz\", \".hqx\", \".ico\", \".iso\", \".jar\", \".jpeg\", \".jpg\", \".lha\", \".lzh\", \".mid\", \".mov\", \".mp3\", \".mp4\", \".mpeg\", \".mpg\", \".msi\", \".o\", \".ogg\", \".png\", \".ra\", \".ram\", \".rar\", \".rm\", \".rpm\", \".sea\", \".sit\", \".so\", \".swf\", \".tar\", \".tgz\", \".tif\", \".tiff\", \".wav\", \".webm\", \".webp\", \".wmv\", \".woff\", \".woff2\", \".xz\", \".z\", \".zip\", \".zst\"]"),
        "Endings of addresses that are left whatever their media type, because servers label them wrongly."),
    setting("max_size", Size(1), OrNone("\"500 KB\""),
        "Larger documents are left; \"none\" for any size."),
    setting("ports", List(&Whole(1..=65_535)), Is("[80, 443]"),
        "Ports whose documents are kept; [] for all."),
    setting("languages", List(&Text(LANGUAGE_TAG)), Is("[]"),
        "Languages that are kept, such as [\"de\"]; [] for all."),
    setting("unclear_language", CHOICE, Is("\"leave\""),
        "What becomes of documents whose language is unclear, where languages are named."),
    setting("not_classified", CHOICE, Is("\"keep\""),
        "What becomes of formats whose text is not read, where languages are named."),
    setting("duplicates", CHOICE, Is("\"keep\""),
        "What becomes of exact copies of a document that is kept; they are marked in any case."),
    setting("near_duplicates", CHOICE, Is("\"keep\""),
        "What becomes of documents that are nearly the same as one that is kept; they are marked in any case."),
    setting("near_threshold", SHARE, Is("0.9"),
        "How alike two documents are, of 1, to count as nearly the same."),
    setting("template_pages", CHOICE, Is("\"keep\""),
        "What becomes of pages made from a template that many pages of their server share."),
    setting("template_size", COUNT, Is("100"),
        "From how many pages on a template counts."),
    setting("mirror", Switch, Is("true"),
        "Whether the kept documents are written into the folder mirror as well."),
    setting("mirror_charset", Choice(&["manifest", "page"]), Is("\"manifest\""),
        "Where the mirror says in which encoding a page is, if only its header says so: beside the pages, or in a line added to them."),
    setting("keep", List(&Text(ADDRESS_PATTERN)), Is("[]"),
        "Addresses that are kept whatever the rules above say; * stands for any characters."),
    setting("leave", List(&Text(ADDRESS_PATTERN)), Is("[]"),
        "Addresses that are left, such as \"*/_vti_bin/*\"; asked before keep."),
]};

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct CorpusTable {
    #[serde(flatten)]
    pub(crate) rules: CorpusRules,
    pub(crate) language: LanguageTable,
    pub(crate) mirror: bool,
    mirror_charset: MirrorCharset,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MirrorCharset {
    Manifest,
    Page,
}

impl CorpusTable {
    pub(crate) fn charset_note(&self) -> CharsetNote {
        match self.mirror_charset {
            MirrorCharset::Manifest => CharsetNote::InManifest,
            MirrorCharset::Page => CharsetNote::InPage,
        }
    }
}
