//! The settings file of a simulated internet, and beside it the certificate of its authority and
//! the files with host names that its university hands over.
//!
//! Any command reaches the simulated internet through `--net FILE`. The file leads to sockets of
//! this machine only, and to nothing once the process that serves them has ended.

use crate::messages::{Exit, Failure};
use anyhow::Context;
use auslese_testnet::{Running, demo};
use std::path::{Path, PathBuf};
use toml::Value;

/// The first line of every file written here: only such files are ever overwritten.
const HEADER: &str =
    "# A simulated internet, written by auslese; it leads nowhere once that ended.\n";

/// Writes the settings that lead to a running internet.
pub(crate) fn write_net_file(file: &Path, net: &Running) -> Result<(), Failure> {
    refuse_foreign(file)?;
    let ca_file = ca_file_beside(file)?;
    let handed_over = write_handed_over(file)?;
    let settings = settings(net, &ca_file) + &discovery(&handed_over);
    let written =
        std::fs::write(&ca_file, net.ca_pem()).and_then(|()| std::fs::write(file, settings));
    written.with_context(|| format!("cannot write {}", file.display()))?;
    Ok(())
}

/// A settings file of somebody's own must not be lost.
fn refuse_foreign(file: &Path) -> Result<(), Failure> {
    match std::fs::read(file) {
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Ok(bytes) if bytes.starts_with(HEADER.as_bytes()) => Ok(()),
        Ok(_) => {
            Err(Failure::usage(format!("{} exists and is not mine to overwrite", file.display()))
                .hint("name another file with --net"))
        }
        Err(cause) => {
            let message = format!("cannot read {}", file.display());
            Err(Failure::new(Exit::Usage, anyhow::Error::new(cause).context(message)))
        }
    }
}

/// `auslese-net.toml` has `auslese-net-ca.pem` beside it; absolute, because commands may be run
/// from anywhere.
fn ca_file_beside(file: &Path) -> Result<PathBuf, Failure> {
    let beside = file.with_file_name(format!("{}-ca.pem", stem(file)));
    Ok(std::path::absolute(beside).context("cannot tell where the current directory is")?)
}

/// The settings of the running internet, with a certificate file that lasts longer than it.
fn settings(net: &Running, ca_file: &Path) -> String {
    let settings = net.net_settings_toml();
    let lines = settings.lines().filter(|line| !line.starts_with("ca_files"));
    let mut text = String::from(HEADER);
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    let ca_file = Value::from(ca_file.to_string_lossy().into_owned());
    text + &format!("ca_files = [{ca_file}]\n")
}

/// What somebody at the simulated university would set: its computing centre has handed over files
/// with host names and allows a scan, one guest in its network does not belong to it, and the
/// registries of this internet need no long pauses.
fn discovery(imports: &[PathBuf]) -> String {
    let list = |texts: Vec<String>| Value::Array(texts.into_iter().map(Value::from).collect());
    let imports = imports.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    let never = demo::never().into_iter().map(str::to_owned).collect();
    format!(
        "\n[discover]\nimports = {}\nnever = {}\n\n[discover.lookup]\ninterval = \"20ms\"\n\
         question = \"2s\"\n\
         whois_servers = [{{ ending = \"-EXAMPLE\", server = \"whois.ripe.net\" }}]\n\n[discover.scan]\non = true\nvantage = \"simulated\"\n",
        list(imports),
        list(never),
    )
}

/// Writes the files that the computing centre hands over.
fn write_handed_over(file: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut written = Vec::new();
    for (name, bytes) in demo::files() {
        let beside = std::path::absolute(file.with_file_name(format!("{}-{name}", stem(file))))
            .context("cannot tell where the current directory is")?;
        std::fs::write(&beside, bytes)
            .with_context(|| format!("cannot write {}", beside.display()))?;
        written.push(beside);
    }
    Ok(written)
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
