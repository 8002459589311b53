//! Packs a sorted list of words, one per line, into the automaton that the program ships.
//!
//!     cargo run -p auslese-words --example pack_word_list -- german.txt german.fst

use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(from), Some(to), None) = (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("usage: pack_word_list LIST AUTOMATON".into());
    };
    let text = fs::read_to_string(from)?;
    let mut words: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    words.sort_unstable();
    words.dedup();
    let set = fst::Set::from_iter(words)?;
    fs::write(to, set.as_fst().as_bytes())?;
    Ok(())
}
