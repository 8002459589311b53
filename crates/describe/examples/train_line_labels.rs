//! Learns the labels of lines from GROBID's training data for headers.
//!
//!     cargo run --release -p auslese-describe --example train_line_labels -- DIRECTORY > models/line-labels.txt
//!
//! DIRECTORY holds pairs of files, `X.training.header` (one line a token, with its place and type) and
//! `X.training.header.tei.xml` (the same text with labels). The model goes to stdout; on stderr stands
//! how well models of four fifths of the heads label the rest.

use auslese_describe::{HeadLine, LineLabel, LineModel, SizeChange, train_line_labels};
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

const FOLDS: usize = 5;

type Head = Vec<(HeadLine, LineLabel)>;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("which directory?")?;
    let heads = read_heads(Path::new(&directory))?;
    eprintln!("{} heads, {} lines", heads.len(), heads.iter().map(Vec::len).sum::<usize>());
    evaluate(&heads);
    print!("{}", train_line_labels(&with_variants(&heads)).to_text());
    Ok(())
}

fn read_heads(directory: &Path) -> Result<Vec<Head>, Box<dyn Error>> {
    let mut files: Vec<PathBuf> = fs::read_dir(directory)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with(".training.header"))
        .collect();
    files.sort();
    let mut heads = Vec::new();
    for file in files {
        let labelled = PathBuf::from(format!("{}.tei.xml", file.display()));
        let Ok(labelled) = fs::read_to_string(labelled) else { continue };
        let tokens = fs::read_to_string(&file)?;
        heads.extend(head(&tokens, &labelled).filter(|head| !head.is_empty()));
    }
    Ok(heads)
}

/// The lines of the tokens with the labels of the same characters in the text.
fn head(tokens: &str, labelled: &str) -> Option<Head> {
    let text = labelled_characters(labelled)?;
    let mut rest = text.iter().peekable();
    let mut head: Head = Vec::new();
    let mut votes: BTreeMap<LineLabel, usize> = BTreeMap::new();
    for token in tokens.lines().map(|line| line.split(' ').collect::<Vec<_>>()) {
        let Some([place, line, _, font, size]) = token.get(10..15) else { continue };
        if *line == "LINESTART" || head.is_empty() {
            elect(&mut head, &mut votes);
            let size = match *size {
                "HIGHERFONT" => SizeChange::Larger,
                "LOWERFONT" => SizeChange::Smaller,
                _ => SizeChange::Same,
            };
            let (other_type, begins_block) = (*font == "NEWFONT", *place == "BLOCKSTART");
            let line = HeadLine { text: String::new(), size, other_type, begins_block };
            head.push((line, LineLabel::Note));
        }
        let text = &mut head.last_mut()?.0.text;
        for expected in token[0].chars() {
            while rest.next_if(|(c, _)| c.is_whitespace()).is_some() {
                text.push(' ');
            }
            let (found, label) = rest.next()?;
            if *found != expected {
                return None;
            }
            text.push(expected);
            *votes.entry(*label).or_default() += 1;
        }
    }
    elect(&mut head, &mut votes);
    Some(head)
}

/// Gives the last line the label that most of its characters have, and begins to count anew.
fn elect(head: &mut Head, votes: &mut BTreeMap<LineLabel, usize>) {
    if let (Some((line, label)), Some((elected, _))) =
        (head.last_mut(), votes.iter().max_by_key(|(_, count)| **count))
    {
        *label = *elected;
        line.text = line.text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    votes.clear();
}

fn labelled_characters(xml: &str) -> Option<Vec<(char, LineLabel)>> {
    let mut reader = Reader::from_str(xml);
    let mut characters = Vec::new();
    let mut open: Vec<Option<LineLabel>> = Vec::new();
    let mut in_front = false;
    loop {
        let label = open.iter().rev().find_map(|label| *label).unwrap_or(LineLabel::Note);
        match reader.read_event().ok()? {
            Event::Start(start) => {
                let name = start.name().as_ref().to_owned();
                let kind = start.try_get_attribute("type").ok().flatten();
                let kind = kind.map(|it| it.value.into_owned());
                in_front |= name == "front";
                open.push(label_of(&name, kind.as_deref()));
            }
            Event::End(end) => {
                open.pop();
                if end.name().as_ref() == "front" {
                    return Some(characters);
                }
            }
            Event::Text(text) if in_front => {
                characters.extend(text.chars().map(|c| (c, label)));
            }
            Event::GeneralRef(reference) if in_front => {
                let c = match reference.resolve_char_ref().ok()? {
                    Some(c) => c,
                    None => quick_xml::escape::resolve_xml_entity(&reference)?.chars().next()?,
                };
                characters.push((c, label));
            }
            Event::Empty(_) if in_front => characters.push((' ', label)),
            Event::Eof => return None,
            _ => {}
        }
    }
}

fn label_of(element: &str, kind: Option<&str>) -> Option<LineLabel> {
    Some(match (element, kind) {
        ("titlePart" | "docTitle", _) => LineLabel::Title,
        ("docAuthor", _) => LineLabel::Author,
        ("affiliation", _) => LineLabel::Institution,
        ("address", _) => LineLabel::Address,
        ("email", _) => LineLabel::Mail,
        ("date", _) => LineLabel::Date,
        ("div", Some("abstract")) => LineLabel::Abstract,
        ("keyword" | "keywords", _) => LineLabel::Keywords,
        _ => return None,
    })
}

/// The heads, and each of them as series of working papers would print it: without institutes and
/// addresses, and once more with the authors above the title. Such heads are missing in the data.
fn with_variants(heads: &[Head]) -> Vec<Head> {
    let is_place = |label: LineLabel| {
        matches!(label, LineLabel::Institution | LineLabel::Address | LineLabel::Mail)
    };
    let mut all = Vec::new();
    for head in heads {
        all.push(head.clone());
        let bare: Head = head.iter().filter(|(_, label)| !is_place(*label)).cloned().collect();
        let mut turned = bare.clone();
        let title = turned.iter().position(|(_, label)| *label == LineLabel::Title);
        let rank = |label: LineLabel| u8::from(label != LineLabel::Author);
        turned[title.unwrap_or_default()..].sort_by_key(|(_, label)| rank(*label));
        all.push(bare);
        all.push(turned);
    }
    all.retain(|head| !head.is_empty());
    all
}

fn evaluate(heads: &[Head]) {
    let mut counts: BTreeMap<LineLabel, [usize; 3]> = BTreeMap::new();
    for fold in 0..FOLDS {
        let part = |is_kept: bool| -> Vec<Head> {
            let at = |at: usize| (at % FOLDS == fold) == is_kept;
            heads.iter().enumerate().filter(|(n, _)| at(*n)).map(|(_, head)| head.clone()).collect()
        };
        let model = train_line_labels(&with_variants(&part(false)));
        for head in part(true) {
            count(&model, &head, &mut counts);
        }
    }
    let (right, all) =
        counts.values().fold((0, 0), |sum, it| (sum.0 + it[0], sum.1 + it[0] + it[2]));
    eprintln!("lines right {:.3}", right as f64 / all as f64);
    for (label, [right, wrong, missed]) in counts {
        let share = |of: usize| right as f64 / of.max(1) as f64;
        let (precision, recall) = (share(right + wrong), share(right + missed));
        eprintln!(
            "{:12} precision {precision:.3} recall {recall:.3} of {}",
            label.as_str(),
            right + missed
        );
    }
}

/// Right, wrong and missed lines of each label.
fn count(model: &LineModel, head: &Head, counts: &mut BTreeMap<LineLabel, [usize; 3]>) {
    let lines: Vec<HeadLine> = head.iter().map(|(line, _)| line.clone()).collect();
    for (said, (_, right)) in model.labels(&lines).iter().zip(head) {
        match said == right {
            true => counts.entry(*right).or_default()[0] += 1,
            false => {
                counts.entry(*said).or_default()[1] += 1;
                counts.entry(*right).or_default()[2] += 1;
            }
        }
    }
}
