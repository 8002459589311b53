//! Sorts any number of lines in bounded memory: sorted runs in files without a name, merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

/// So many bytes of lines are sorted in memory before they become a run.
const MEMORY_LIMIT: usize = 32 * 1024 * 1024;
/// So many runs are open at once; then they are merged into one.
const RUNS_LIMIT: usize = 64;

/// Lines to be sorted bytewise; repeated lines come out once.
#[derive(Debug)]
pub struct SortedLines {
    spill_dir: PathBuf,
    memory_limit: usize,
    lines: Vec<String>,
    size: usize,
    runs: Vec<File>,
}

impl SortedLines {
    pub fn new(spill_dir: &Path) -> SortedLines {
        SortedLines {
            spill_dir: spill_dir.to_path_buf(),
            memory_limit: MEMORY_LIMIT,
            lines: Vec::new(),
            size: 0,
            runs: Vec::new(),
        }
    }

    /// Adds a line, which must hold no line end.
    pub fn push(&mut self, line: String) -> io::Result<()> {
        self.size += line.len() + size_of::<String>();
        self.lines.push(line);
        if self.size < self.memory_limit {
            return Ok(());
        }
        let mut run = BufWriter::new(tempfile::tempfile_in(&self.spill_dir)?);
        self.write_memory(&mut run)?;
        self.runs.push(run.into_inner().map_err(io::IntoInnerError::into_error)?);
        if self.runs.len() >= RUNS_LIMIT {
            let mut merged = BufWriter::new(tempfile::tempfile_in(&self.spill_dir)?);
            merge(std::mem::take(&mut self.runs), Vec::new(), &mut merged)?;
            self.runs.push(merged.into_inner().map_err(io::IntoInnerError::into_error)?);
        }
        Ok(())
    }

    /// Writes all lines in order and tells how many there are.
    pub fn write(mut self, out: &mut dyn Write) -> io::Result<u64> {
        if self.runs.is_empty() {
            return self.write_memory(out);
        }
        self.lines.sort_unstable();
        merge(self.runs, self.lines, out)
    }

    fn write_memory(&mut self, out: &mut dyn Write) -> io::Result<u64> {
        self.lines.sort_unstable();
        self.lines.dedup();
        for line in &self.lines {
            writeln!(out, "{line}")?;
        }
        let count = self.lines.len() as u64;
        self.lines.clear();
        self.size = 0;
        Ok(count)
    }
}

fn merge(runs: Vec<File>, last: Vec<String>, out: &mut dyn Write) -> io::Result<u64> {
    let mut sources: Vec<Box<dyn Iterator<Item = io::Result<String>>>> =
        vec![Box::new(last.into_iter().map(Ok))];
    for mut run in runs {
        run.rewind()?;
        sources.push(Box::new(BufReader::new(run).lines()));
    }
    let mut heads = BinaryHeap::new();
    for (index, source) in sources.iter_mut().enumerate() {
        if let Some(line) = source.next().transpose()? {
            heads.push(Reverse((line, index)));
        }
    }
    let mut count = 0;
    let mut written: Option<String> = None;
    while let Some(Reverse((line, index))) = heads.pop() {
        if written.as_ref() != Some(&line) {
            writeln!(out, "{line}")?;
            count += 1;
            written = Some(line);
        }
        if let Some(line) = sources[index].next().transpose()? {
            heads.push(Reverse((line, index)));
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn sorted_once_each(lines in prop::collection::vec("[a-c]{0,3}", 0..300), limit in 1usize..4000) {
            let mut sorter = SortedLines::new(&std::env::temp_dir());
            sorter.memory_limit = limit;
            for line in &lines {
                sorter.push(line.clone()).unwrap();
            }
            let mut out = Vec::new();
            let count = sorter.write(&mut out).unwrap();
            let expected: BTreeSet<_> = lines.into_iter().collect();
            prop_assert_eq!(count, expected.len() as u64);
            let expected: String = expected.into_iter().map(|line| line + "\n").collect();
            prop_assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
