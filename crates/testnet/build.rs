//! Lists the files of the demo sites, so that adding a page means adding a file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=demo");
    let mut files = Vec::new();
    collect(Path::new("demo/sites"), &mut files)?;
    files.sort();

    let mut table = String::from("&[\n");
    for file in &files {
        let inside = file.strip_prefix("demo/sites").unwrap_or(file);
        let Some((host, path)) = inside.to_str().and_then(|inside| inside.split_once('/')) else {
            continue;
        };
        let include = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{}\")", file.display());
        // Writing to a String cannot fail.
        let _ = writeln!(table, "    ({host:?}, {path:?}, include_bytes!({include})),");
    }
    table.push_str("]\n");
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("demo_files.rs"), table)
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
