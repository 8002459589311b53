//! CoNLL-U with tokens and sentences: ten columns, of which identifier, form and the note on white space
//! are filled. Files of this kind reach level 1 of the validator of Universal Dependencies; higher levels
//! want tags and trees, which nobody made.

use crate::document::ExportedDocument;
use crate::tokens::{sentences, spelled};
use std::io::{self, Write};

pub(crate) fn write_document(document: &ExportedDocument, out: &mut dyn Write) -> io::Result<()> {
    let id = document.id();
    let mut begins_document = true;
    for (paragraph_number, paragraph) in document.paragraphs().iter().enumerate() {
        let paragraph_id = format!("{id}-p{}", paragraph_number + 1);
        for (number, sentence) in sentences(&paragraph.text).iter().enumerate() {
            if begins_document {
                writeln!(out, "# newdoc id = {id}")?;
                writeln!(out, "# url = {}", one_line(&document.url))?;
                writeln!(out, "# title = {}", one_line(document.title()))?;
                if let Some(language) = document.language() {
                    writeln!(out, "# lang = {}", one_line(language))?;
                }
                begins_document = false;
            }
            if number == 0 {
                writeln!(out, "# newpar id = {paragraph_id}")?;
            }
            writeln!(out, "# sent_id = {paragraph_id}-s{}", number + 1)?;
            writeln!(out, "# text = {}", spelled(sentence))?;
            let last = sentence.len() - 1;
            for (at, token) in sentence.iter().enumerate() {
                let note = if token.is_joined && at < last { "SpaceAfter=No" } else { "_" };
                writeln!(out, "{}\t{}\t_\t_\t_\t_\t_\t_\t_\t{note}", at + 1, token.form)?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|it| !it.is_empty())
        .collect();
    words.join(" ")
}
