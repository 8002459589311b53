//! The formats a harvest is given away in: what each is, and what is written for it.

use super::archives::ArchiveFormat;
use auslese_export::{DocumentFormat, TextNeed};

/// A format by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExportFormat {
    /// Written document by document.
    Documents(DocumentFormat),
    /// How often each form occurs.
    Frequencies,
    /// Seeds and scope for Heritrix.
    Heritrix,
    /// What the catalog knows, as tables.
    Parquet,
    /// The archive itself.
    Archive(ArchiveFormat),
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    File,
    Folder,
}

impl OutputKind {
    pub fn as_str(self) -> &'static str {
        match self {
            OutputKind::File => "file",
            OutputKind::Folder => "folder",
        }
    }
}

impl ExportFormat {
    /// All formats, in the order in which they are shown.
    pub fn all() -> impl Iterator<Item = ExportFormat> {
        let others = [ExportFormat::Frequencies, ExportFormat::Heritrix, ExportFormat::Parquet];
        let archives = ArchiveFormat::ALL.into_iter().map(ExportFormat::Archive);
        DocumentFormat::ALL.into_iter().map(ExportFormat::Documents).chain(others).chain(archives)
    }

    pub fn parse(name: &str) -> Option<ExportFormat> {
        ExportFormat::all().find(|format| format.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            ExportFormat::Documents(format) => format.name(),
            ExportFormat::Frequencies => "frequencies",
            ExportFormat::Heritrix => "heritrix",
            ExportFormat::Parquet => "parquet",
            ExportFormat::Archive(format) => format.name(),
        }
    }

    /// What it is, in a line.
    pub fn about(self) -> &'static str {
        match self {
            ExportFormat::Documents(format) => about(format),
            ExportFormat::Frequencies => "words by frequency, with documents and per million (TSV)",
            ExportFormat::Heritrix => "seeds, SURT prefixes and a scope for a crawl with Heritrix",
            ExportFormat::Parquet => {
                "tables: captures, headers, documents, statements, links, features, versions"
            }
            ExportFormat::Archive(format) => format.about(),
        }
    }

    /// What is written for it, unless documents are to be split.
    pub fn output(self) -> OutputKind {
        match self {
            ExportFormat::Documents(DocumentFormat::Vertical)
            | ExportFormat::Heritrix
            | ExportFormat::Parquet
            | ExportFormat::Archive(ArchiveFormat::InternetArchive) => OutputKind::Folder,
            _ => OutputKind::File,
        }
    }

    /// Whether each document may become a file of its own.
    pub fn can_split(self) -> bool {
        matches!(self, ExportFormat::Documents(format) if format != DocumentFormat::Vertical)
    }

    /// Whether it can be printed: it is one file, and written in order.
    pub fn can_print(self) -> bool {
        match self {
            ExportFormat::Archive(format) => format.can_print(),
            _ => self.output() == OutputKind::File,
        }
    }

    /// Whether a part of the documents can be given away.
    pub fn can_select(self) -> bool {
        !matches!(self, ExportFormat::Archive(format) if !format.can_select())
    }

    pub(super) fn need(self) -> TextNeed {
        match self {
            ExportFormat::Documents(format) => format.need(),
            ExportFormat::Frequencies => TextNeed::Paragraphs,
            ExportFormat::Archive(ArchiveFormat::Wacz) => TextNeed::Paragraphs,
            ExportFormat::Heritrix | ExportFormat::Parquet | ExportFormat::Archive(_) => {
                TextNeed::None
            }
        }
    }

    pub(super) fn wants_text(self) -> bool {
        match self {
            ExportFormat::Documents(format) => format.wants_text(),
            ExportFormat::Frequencies => true,
            ExportFormat::Heritrix | ExportFormat::Parquet | ExportFormat::Archive(_) => false,
        }
    }

    pub(super) fn wants_links(self) -> bool {
        matches!(self, ExportFormat::Documents(format) if format.wants_links())
    }
}

#[rustfmt::skip]
fn about(format: DocumentFormat) -> &'static str {
    match format {
        DocumentFormat::Tei              => "TEI P5: a corpus of texts with headers, metadata with certainty",
        DocumentFormat::DublinCoreRdf    => "Dublin Core as RDF/XML, weights as annotations",
        DocumentFormat::DublinCoreTurtle => "Dublin Core as Turtle, weights as annotations",
        DocumentFormat::DublinCoreHtml   => "Dublin Core as <meta> elements for the heads of pages",
        DocumentFormat::Soif             => "SOIF of Harvest, several values joined by line feeds",
        DocumentFormat::SoifNumbered     => "SOIF, several values as Name-1, Name-2",
        DocumentFormat::JsonLines        => "everything that is known of a document, an object per line",
        DocumentFormat::Vertical         => "vertical text with structural attributes, and its registry",
        DocumentFormat::Conllu           => "CoNLL-U: sentences and tokens",
        DocumentFormat::Text             => "plain text, a paragraph per line",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for format in ExportFormat::all() {
            assert_eq!(ExportFormat::parse(format.name()), Some(format));
        }
        assert_eq!(ExportFormat::parse("word"), None);
    }
}
