//! Measures describing in pages per second, on one core, over given files or directories:
//! `cargo bench -p auslese-describe --bench describing -- DIRECTORY…`; without any, over a made-up page.

use auslese_describe::{
    Around, Heuristics, Subject, Weights, describe, own_address, page_to_describe,
};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let arguments: Vec<PathBuf> =
        std::env::args_os().skip(1).map(PathBuf::from).filter(|path| path.exists()).collect();
    let mut bodies = Vec::new();
    arguments.iter().for_each(|path| collect(path, &mut bodies));
    if bodies.is_empty() {
        bodies = vec![made_up_page(); 200];
    }
    let size: usize = bodies.iter().map(Vec::len).sum();
    println!("{} pages, {:.1} MB", bodies.len(), size as f64 / 1e6);

    let start = Instant::now();
    let pages: Vec<_> = bodies.iter().map(|body| page_to_describe(body, None).0).collect();
    let parsing = start.elapsed().as_secs_f64();
    println!("{:10.1} pages/s parsed", pages.len() as f64 / parsing);

    let around = Around::default();
    for name in ["carmen", "default"] {
        let heuristics = Heuristics::shipped(name).expect("it comes with the program");
        let weights = Weights::shipped_for(name);
        let start = Instant::now();
        for page in &pages {
            let url = own_address(page);
            let subject = Subject { page, url: url.as_ref(), around: &around };
            black_box(describe(&subject, &heuristics, &weights));
        }
        let describing = start.elapsed().as_secs_f64();
        let per_second = |seconds: f64| pages.len() as f64 / seconds;
        println!("{:10.1} pages/s described with {name}", per_second(describing));
        println!("{:10.1} pages/s parsed and described", per_second(parsing + describing));
    }
}

/// All files below a path.
fn collect(path: &Path, bodies: &mut Vec<Vec<u8>>) {
    match std::fs::read_dir(path) {
        Ok(entries) => {
            entries.flatten().for_each(|entry| collect(&entry.path(), bodies));
        }
        Err(_) => bodies.extend(std::fs::read(path)),
    }
}

fn made_up_page() -> Vec<u8> {
    let head = "<html lang=de><title>Kants Ethik | Institut für Philosophie</title>\
        <meta name=author content='Eva Meier'><meta name=keywords content='Kant, Ethik, Pflicht'>\
        <meta property='article:published_time' content='2004-03-12'>";
    let text = "<p>Was soll ich tun? So fragt Immanuel Kant in der Kritik der praktischen Vernunft, \
        und <a href=weiter.html>so fragen wir</a> mit ihm.</p>\n";
    format!(
        "{head}<h1>Kants Ethik</h1><p class=byline>Von Eva Meier, 12. März 2004</p>{}",
        text.repeat(120)
    )
    .into_bytes()
}
