//! The `<teiHeader>` of a document and of a collection.
//!
//! What a document says about itself stands where TEI has a place for it. Each such value has an
//! identifier and, as `@cert`, the probability that it is right; the notes hold a `<certainty>` for each,
//! with the rule that found it and the place it was found at.

use super::identifier;
use super::inline::strict_uri;
use crate::dates::w3c_date;
use crate::document::{CorpusHead, ExportedDocument};
use crate::language::{UNKNOWN, language_tag};
use crate::xml::Xml;
use auslese_model::{Field, Statement};
use std::collections::BTreeMap;

/// How the text was made, for the editorial declaration.
const EDITORIAL: &str = "Up-converted from the archived web page by a program. Headings make divisions by their \
    level; tables that only arrange the page are dissolved; navigation, header, footer and asides are divisions \
    of that type; scripts, styles and hidden content are left out; white space is normalised except in \
    preformatted text; characters that XML cannot hold are replaced by U+FFFD.";

/// The header of a whole collection.
pub(super) fn corpus_header(head: &CorpusHead) -> String {
    let mut xml = Xml::default();
    xml.start("teiHeader", &[]);
    xml.start("fileDesc", &[]);
    xml.start("titleStmt", &[]);
    xml.element("title", &[], &head.title);
    xml.end("titleStmt");
    xml.start("publicationStmt", &[]);
    for institution in &head.institutions {
        xml.element("publisher", &[], institution);
    }
    if head.institutions.is_empty() {
        xml.element("publisher", &[], &head.title);
    }
    let day = day(head.at);
    xml.element("date", &[("when", &day)], &day);
    xml.end("publicationStmt");
    xml.start("sourceDesc", &[]);
    xml.element(
        "p",
        &[],
        "Documents of the web, as they were archived. Each has a header of its own.",
    );
    xml.end("sourceDesc");
    xml.end("fileDesc");
    xml.start("encodingDesc", &[]);
    paragraph_in(&mut xml, "projectDesc", "Collected, archived and described by auslese.");
    paragraph_in(&mut xml, "samplingDecl", &head.selection);
    paragraph_in(&mut xml, "editorialDecl", EDITORIAL);
    application(&mut xml, head);
    xml.end("encodingDesc");
    revision(&mut xml, head);
    xml.end("teiHeader");
    xml.into_text()
}

/// The header of one document.
pub(super) fn document_header(document: &ExportedDocument, head: &CorpusHead) -> String {
    let mut header =
        Header { document, id: document.id(), xml: Xml::default(), certain: Vec::new() };
    let title = header.apart(Header::title_statement);
    let publication = header.apart(Header::publication);
    let source = header.apart(Header::source);
    let profile = header.apart(Header::profile);
    // The notes stand before most of what they speak of, so they are made last.
    let notes = header.apart(Header::notes);
    let encoding = header.apart(|header| header.encoding(head));
    header.xml.start("teiHeader", &[]);
    header.xml.start("fileDesc", &[]);
    header.xml.written(&title);
    header.extent();
    for part in [&publication, &notes, &source] {
        header.xml.written(part);
    }
    header.xml.end("fileDesc");
    header.xml.written(&encoding);
    header.xml.written(&profile);
    revision(&mut header.xml, head);
    header.xml.end("teiHeader");
    header.xml.into_text()
}

struct Header<'d> {
    document: &'d ExportedDocument,
    id: String,
    xml: Xml,
    /// Statements that were written, with their identifiers.
    certain: Vec<(String, &'d Statement)>,
}

impl<'d> Header<'d> {
    /// Writes a part into a text of its own.
    fn apart(&mut self, write: impl FnOnce(&mut Header<'d>)) -> String {
        let before = std::mem::take(&mut self.xml);
        write(self);
        std::mem::replace(&mut self.xml, before).into_text()
    }

    fn title_statement(&mut self) {
        self.xml.start("titleStmt", &[]);
        let document = self.document;
        match document.chosen(Field::Title).next() {
            Some(title) => self.stated("title", &[], title, 1),
            None => self.xml.element("title", &[("cert", "unknown")], document.title()),
        }
        self.all("author", Field::Author);
        self.xml.end("titleStmt");
    }

    fn extent(&mut self) {
        let counts = self.document.content.as_ref().map(|content| content.counts);
        let size = self.document.capture.size;
        if counts.is_none() && size.is_none() {
            return;
        }
        self.xml.start("extent", &[]);
        let words = counts.map(|counts| ("words", u64::from(counts.words)));
        let bytes = size.map(|size| ("bytes", size));
        for (unit, quantity) in words.into_iter().chain(bytes) {
            let quantity = quantity.to_string();
            let attributes = [("unit", unit), ("quantity", quantity.as_str())];
            self.xml.element("measure", &attributes, &format!("{quantity} {unit}"));
        }
        self.xml.end("extent");
    }

    fn publication(&mut self) {
        let document = self.document;
        self.xml.start("publicationStmt", &[]);
        self.xml.element(
            "publisher",
            &[],
            document.institution.as_deref().unwrap_or(&document.host),
        );
        self.xml.element("idno", &[("type", "URI")], &document.url);
        if let Some(digest) = &document.capture.payload_digest {
            self.xml.element("idno", &[("type", "payload-digest")], &digest.to_string());
        }
        if let Some(record) = &document.capture.record_id {
            self.xml.element("idno", &[("type", "WARC-Record-ID")], record);
        }
        self.all("idno", Field::Identifier);
        if document.chosen(Field::Rights).next().is_some() {
            self.xml.start("availability", &[]);
            self.all("p", Field::Rights);
            self.xml.end("availability");
        }
        let captured = document.capture.at.to_second_text();
        self.xml.element("date", &[("type", "captured"), ("when", &captured)], &captured);
        self.xml.end("publicationStmt");
    }

    fn notes(&mut self) {
        let document = self.document;
        self.xml.start("notesStmt", &[]);
        let verdict = &document.verdict;
        let text =
            format!("{}: {} ({})", verdict.keeping.as_str(), verdict.reason, verdict.rule.as_str());
        self.xml.element("note", &[("type", "corpus")], &text);
        if let Some(media_type) = &document.capture.media_type {
            self.xml.element("note", &[("type", "media-type")], media_type);
        }
        if let Some(trouble) = &document.trouble {
            self.xml.element("note", &[("type", "trouble")], trouble);
        }
        let certain = std::mem::take(&mut self.certain);
        if !certain.is_empty() {
            self.xml.start("note", &[("type", "certainty")]);
            for (id, statement) in &certain {
                self.certainty(id, statement);
            }
            self.xml.end("note");
        }
        self.xml.end("notesStmt");
    }

    fn certainty(&mut self, id: &str, statement: &Statement) {
        let (target, degree) = (format!("#{id}"), probability(statement.weight));
        let attributes = [("target", target.as_str()), ("locus", "value"), ("degree", &degree)];
        self.xml.start("certainty", &attributes);
        let rules: Vec<&str> = statement.rules.iter().map(|rule| rule.as_str()).collect();
        let mut grounds =
            format!("{}, initially {}", rules.join(", "), probability(statement.initial));
        let place = statement.place.as_ref().map(ToString::to_string);
        for ground in [statement.origin.clone(), place].into_iter().flatten() {
            grounds.push_str("; ");
            grounds.push_str(&ground);
        }
        self.xml.element("desc", &[], &grounds);
        self.xml.end("certainty");
    }

    fn source(&mut self) {
        let document = self.document;
        self.xml.start("sourceDesc", &[]);
        self.xml.start("bibl", &[]);
        self.xml.element("title", &[], document.title());
        self.all("publisher", Field::Institution);
        let target = strict_uri(&document.url);
        self.xml.element("ref", &[("target", &target)], &document.url);
        for (number, statement) in document.chosen(Field::FullText).enumerate() {
            let target = strict_uri(statement.value.trim());
            if !target.is_empty() {
                let attributes = [("type", "full-text"), ("target", target.as_str())];
                self.stated("ref", &attributes, statement, number + 1);
            }
        }
        for (number, statement) in document.chosen(Field::Date).enumerate() {
            let when = w3c_date(&statement.value);
            let when: Vec<(&str, &str)> = when.iter().map(|when| ("when", when.as_str())).collect();
            self.stated("date", &when, statement, number + 1);
        }
        if let Some(modified) = document.capture.last_modified {
            let modified = modified.to_second_text();
            self.xml.element("date", &[("type", "last-modified"), ("when", &modified)], &modified);
        }
        self.xml.end("bibl");
        self.xml.end("sourceDesc");
    }

    fn encoding(&mut self, head: &CorpusHead) {
        self.xml.start("encodingDesc", &[]);
        paragraph_in(&mut self.xml, "samplingDecl", &head.selection);
        paragraph_in(&mut self.xml, "editorialDecl", EDITORIAL);
        let schemes = self.schemes();
        if !schemes.is_empty() {
            self.xml.start("classDecl", &[]);
            for (id, scheme) in schemes {
                self.xml.start("taxonomy", &[("xml:id", &id)]);
                self.xml.element("bibl", &[], scheme);
                self.xml.end("taxonomy");
            }
            self.xml.end("classDecl");
        }
        application(&mut self.xml, head);
        self.xml.end("encodingDesc");
    }

    /// The classifications that codes of this document belong to, by their identifiers.
    fn schemes(&self) -> BTreeMap<String, &'d str> {
        let named = self.document.chosen(Field::Classification).map(scheme);
        named.map(|scheme| (self.scheme_id(scheme), scheme)).collect()
    }

    fn scheme_id(&self, scheme: &str) -> String {
        format!("{}-scheme-{}", self.id, identifier(scheme))
    }

    fn profile(&mut self) {
        let document = self.document;
        self.xml.start("profileDesc", &[]);
        for field in [Field::Abstract, Field::Description] {
            for (number, statement) in document.chosen(field).enumerate() {
                self.xml.start("abstract", &[("n", field.as_str())]);
                self.stated("p", &[], statement, number + 1);
                self.xml.end("abstract");
            }
        }
        self.languages();
        self.classes();
        self.xml.end("profileDesc");
    }

    fn languages(&mut self) {
        let note = self.document.content.as_ref().and_then(|content| content.language.as_ref());
        let Some(note) = note else { return };
        let whole = [(note.language.clone(), 1.0)];
        let shares = if note.shares.is_empty() { &whole } else { note.shares.as_slice() };
        self.xml.start("langUsage", &[]);
        for (language, share) in shares {
            let tag = language_tag(language).unwrap_or_else(|| UNKNOWN.to_owned());
            // A share is at most one.
            let usage = ((share.clamp(0.0, 1.0) * 100.0).round() as u32).to_string();
            self.xml.element("language", &[("ident", &tag), ("usage", &usage)], language);
        }
        self.xml.end("langUsage");
    }

    fn classes(&mut self) {
        let document = self.document;
        let fields = [Field::Keywords, Field::Type, Field::Classification];
        if fields.iter().all(|field| document.chosen(*field).next().is_none()) {
            return;
        }
        self.xml.start("textClass", &[]);
        for field in [Field::Keywords, Field::Type] {
            if document.chosen(field).next().is_none() {
                continue;
            }
            self.xml.start("keywords", &[("n", field.as_str())]);
            self.all("term", field);
            self.xml.end("keywords");
        }
        for (number, statement) in document.chosen(Field::Classification).enumerate() {
            let target = format!("#{}", self.scheme_id(scheme(statement)));
            self.stated("classCode", &[("scheme", &target)], statement, number + 1);
        }
        self.xml.end("textClass");
    }

    /// All values of a field, each in an element of that name.
    fn all(&mut self, name: &str, field: Field) {
        for (number, statement) in self.document.chosen(field).enumerate() {
            self.stated(name, &[], statement, number + 1);
        }
    }

    /// A value with its identifier and certainty.
    fn stated(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        said: &'d Statement,
        number: usize,
    ) {
        let id = format!("{}-{}-{number}", self.id, said.field.as_str());
        let cert = probability(said.weight);
        let mut all = vec![("xml:id", id.as_str())];
        all.extend_from_slice(attributes);
        all.push(("cert", &cert));
        self.xml.element(name, &all, &said.value);
        self.certain.push((id, said));
    }
}

/// The scheme of a classification.
fn scheme(statement: &Statement) -> &str {
    statement.origin.as_deref().unwrap_or("unnamed")
}

/// A weight as TEI writes probabilities.
pub(super) fn probability(weight: f64) -> String {
    let weight = if weight.is_finite() { weight.clamp(0.0, 1.0) } else { 0.0 };
    format!("{weight:.3}")
}

fn day(at: auslese_model::Timestamp) -> String {
    let (year, month, day) = at.date();
    format!("{year:04}-{month:02}-{day:02}")
}

fn paragraph_in(xml: &mut Xml, name: &str, text: &str) {
    xml.start(name, &[]);
    xml.element("p", &[], text);
    xml.end(name);
}

fn application(xml: &mut Xml, head: &CorpusHead) {
    xml.start("appInfo", &[]);
    // TEI takes numbers only.
    let number = head.version.split(|c: char| !c.is_ascii_digit() && c != '.').next();
    let number = number.filter(|it| !it.is_empty()).unwrap_or("0");
    xml.start("application", &[("ident", "auslese"), ("version", number)]);
    xml.element("label", &[], "auslese");
    xml.end("application");
    xml.end("appInfo");
}

fn revision(xml: &mut Xml, head: &CorpusHead) {
    let at = head.at.to_second_text();
    xml.start("revisionDesc", &[]);
    xml.element("change", &[("when", &at)], &format!("exported by auslese {}", head.version));
    xml.end("revisionDesc");
}
