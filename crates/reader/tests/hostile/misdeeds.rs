//! A reader that does as its document says.

use auslese_layout::{
    Alignment, LayoutBlock, LayoutLine, LayoutPage, LayoutText, LayoutWord, Properties, Style,
};
use auslese_model::Oddity;
use auslese_reader::{Request, Unread};
use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::net::UdpSocket;
use std::process::Command;
use std::thread;

pub(crate) fn read(request: &Request<'_>) -> Result<LayoutText, Unread> {
    match request.format {
        "process" => Ok(counted(std::process::id())),
        "length" => Ok(counted(u32::try_from(request.bytes.len()).unwrap())),
        "rich" => Ok(rich()),
        "request" => Ok(said(format!("{request:?}"))),
        "words" => Ok(words(request.pages.unwrap_or(0))),
        "encrypted" => Err(Unread::Encrypted),
        "forever" => loop {
            black_box(());
        },
        "memory" => Ok(counted(eat(usize::MAX))),
        "some memory" => Ok(counted(eat(request.pages.unwrap_or(0) as usize))),
        "leak" => {
            std::mem::forget(vec![1_u8; request.pages.unwrap_or(0) as usize]);
            Ok(counted(std::process::id()))
        }
        "stack" => Ok(counted(deeper(1))),
        "panic" => panic!("page 7 is\nupside down"),
        "abort" => std::process::abort(),
        "exit" => std::process::exit(0),
        "print" => {
            println!("T\0\0\0\0\0\0\0\0\0 to standard output");
            Ok(counted(1))
        }
        "shout" => loop {
            let _ = std::io::stderr().write_all(&[b'!'; 65536]);
        },
        "open file" => Ok(outcome(fs::read("/etc/passwd"))),
        "look at file" => Ok(outcome(fs::metadata("/etc/passwd"))),
        "list directory" => Ok(outcome(fs::read_dir("/"))),
        "write file" => Ok(outcome(fs::write(request.name, "was here"))),
        "remove file" => Ok(outcome(fs::remove_file(request.name))),
        "open socket" => Ok(outcome(UdpSocket::bind("127.0.0.1:0"))),
        "start program" => Ok(outcome(Command::new("/bin/true").status())),
        "start thread" => Ok(outcome(thread::Builder::new().spawn(|| ()))),
        "kill parent" => Ok(outcome(kill(request.pages.unwrap_or(0)))),
        "environment" => Ok(counted(std::env::vars_os().count() as u32)),
        other => Err(Unread::NoReader { format: other.to_owned() }),
    }
}

fn counted(number: u32) -> LayoutText {
    LayoutText { page_count: Some(number), ..LayoutText::default() }
}

pub(crate) fn said(words: String) -> LayoutText {
    LayoutText { oddities: vec![Oddity::new("said", words)], ..LayoutText::default() }
}

fn outcome<T>(result: std::io::Result<T>) -> LayoutText {
    said(result.map_or_else(|error| error.to_string(), |_| "done".to_owned()))
}

fn kill(process: u32) -> std::io::Result<()> {
    let pid = rustix::process::Pid::from_raw(process.try_into().unwrap()).expect("a process");
    Ok(rustix::process::kill_process(pid, rustix::process::Signal::KILL)?)
}

/// In pieces, each of them written to, so that they are really there.
fn eat(bytes: usize) -> u32 {
    let mut eaten: Vec<Vec<u8>> = Vec::new();
    while eaten.len() * 1_000_000 < bytes {
        eaten.push(vec![1; 1_000_000]);
    }
    eaten.iter().map(|piece| u32::from(piece[999_999])).sum()
}

fn deeper(level: u32) -> u32 {
    let here = [level; 64];
    if black_box(&here)[0] == u32::MAX { 0 } else { deeper(level + 1) + here[63] }
}

/// A text with everything a text can have, and with everything it can lack.
pub(crate) fn rich() -> LayoutText {
    let word = |text: &str, continues: bool| LayoutWord {
        text: text.to_owned(),
        left: 72.25,
        right: 100.0 / 3.0,
        baseline: -0.0,
        style: Style { size: 11.96, bold: continues, italic: !continues, small_caps: continues },
        raised: f32::MIN_POSITIVE,
        continues,
    };
    let line = LayoutLine { words: vec![word("Über", true), word("∑ﬁ\u{10ffff}", false)] };
    let block = |alignment: Option<Alignment>, style_name: Option<&str>, column: Option<u8>| {
        let lines = vec![line.clone(), LayoutLine::default()];
        LayoutBlock { lines, alignment, style_name: style_name.map(str::to_owned), column }
    };
    let blocks = vec![
        block(None, None, None),
        block(Some(Alignment::Left), Some("Heading 1"), Some(0)),
        block(Some(Alignment::Centred), Some(""), Some(255)),
        block(Some(Alignment::Right), None, None),
        block(Some(Alignment::Justified), None, None),
        LayoutBlock::default(),
    ];
    let text = |text: &str| Some(text.to_owned());
    LayoutText {
        pages: vec![LayoutPage { width: 595.3, height: 841.9, blocks }, LayoutPage::default()],
        page_count: Some(u32::MAX),
        properties: Properties {
            title: text("Kants Ethik"),
            author: text(""),
            subject: None,
            keywords: text("a, b"),
            created: text("D:20011231"),
            producer: text("dvips"),
            language: text("de"),
        },
        oddities: vec![Oddity::new("odd", "but true")],
    }
}

pub(crate) fn words(number: u32) -> LayoutText {
    let word = |i: u32| LayoutWord {
        text: format!("word{i}"),
        left: i as f32,
        right: i as f32 + 20.0,
        baseline: 700.0,
        style: Style { size: 10.0, ..Style::default() },
        raised: 0.0,
        continues: false,
    };
    let line = LayoutLine { words: (0..number).map(word).collect() };
    let block = LayoutBlock { lines: vec![line], ..LayoutBlock::default() };
    let page = LayoutPage { width: 595.0, height: 842.0, blocks: vec![block] };
    LayoutText { pages: vec![page], page_count: Some(1), ..LayoutText::default() }
}
