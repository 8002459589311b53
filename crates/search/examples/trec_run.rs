//! Indexes a collection of JSON lines in a temporary directory, answers queries (`qid<TAB>text`) and prints a TREC run:
//!
//!     cargo run --release -p auslese-search --example trec_run -- docs.jsonl queries.tsv > run.txt

use auslese_search::{
    IndexDir, QuerySyntax, RUN_HITS, RankingParameters, SearchRequest, Searcher, WriterOptions,
    read_foreign, write_run,
};
use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Write};
use std::{env, fs, io};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [documents, queries, rest @ ..] = &arguments[..] else {
        return Err("usage: trec_run DOCS.jsonl QUERIES.tsv [PARAMETERS.json]".into());
    };
    let parameters = match rest.first() {
        Some(json) => serde_json::from_str(json)?,
        None => RankingParameters::default(),
    };
    let dir = tempfile::tempdir()?;
    let index = IndexDir::create(dir.path())?;
    let mut writer = index.writer(WriterOptions::default())?;
    for line in read_foreign(BufReader::new(File::open(documents)?), "foreign")? {
        match line {
            Ok(document) => writer.put(document)?,
            Err(bad) => eprintln!("{bad}"),
        }
    }
    writer.commit("")?;
    let searcher = Searcher::with_parameters(&[index], parameters)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in fs::read_to_string(queries)?.lines() {
        let Some((id, text)) = line.split_once('\t') else { continue };
        let mut request = SearchRequest::new(text);
        request.syntax = QuerySyntax::Words;
        request.limit = RUN_HITS;
        write_run(&mut out, id, &searcher.search(&request)?.hits, "auslese")?;
    }
    out.flush()?;
    Ok(())
}
