//! Shows what is read of documents: `cargo run -p auslese-layout --example show -- FILE…`.

use auslese_layout::{Format, ReadLimits, read, unpack};

fn main() {
    let limits = ReadLimits::default();
    for name in std::env::args().skip(1) {
        let bytes = match std::fs::read(&name) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{name}: {error}");
                continue;
            }
        };
        let (bytes, packing) = unpack(&bytes, &limits);
        let format = Format::of(&bytes, Some(&name), None);
        println!("{name}: {format:?} {packing:?}");
        let Some(format) = format else { continue };
        let text = read(&bytes, format, &limits);
        println!("{:?} pages {:?}", text.properties, text.page_count);
        println!("{:?}", text.oddities);
        for block in text.pages.iter().flat_map(|page| &page.blocks) {
            println!("[{:?} {:?}]", block.style_name.as_deref().unwrap_or(""), block.alignment);
            for line in &block.lines {
                let words = line.words.iter().map(|word| {
                    let style = word.style;
                    let bold = if style.bold { "b" } else { "" };
                    let italic = if style.italic { "i" } else { "" };
                    let raised = if word.raised > 0.0 { "^" } else { "" };
                    format!("{}/{}{bold}{italic}{raised}", word.text, style.size)
                });
                println!("  {}", words.collect::<Vec<_>>().join(" "));
            }
        }
    }
}
