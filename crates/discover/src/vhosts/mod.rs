//! Host names from files of administrators: server configurations, dumps, scans, zones.
//!
//! A server that nobody links to stands in the configuration of the machine it runs on. Each format
//! has a reader of its own, a pure function over text; this module reads files, recognises the
//! format and follows includes, within limits.
//!
//! Names are taken as they are written. What stands for names without being one (wildcards,
//! patterns, variables that are set elsewhere, mass hosting) is reported with the reason, never
//! guessed. Whether a name exists and belongs is decided elsewhere.

mod apache;
mod caddy;
mod files;
mod format;
mod glob;
mod host_text;
mod hosts;
mod iis;
mod nginx;
mod portscan;
mod report;
#[cfg(test)]
mod testing;
mod zone;

pub use format::VhostFormat;
pub(crate) use host_text::{HostText, WhyNotNamed, read_host};
pub use report::{Endpoint, FoundAddress, FoundName, Place, Reported, VhostReport, WhyReported};

use files::{DiskFiles, Include, Loaded, SourceFile, text_of};
use report::Findings;
use std::io;
use std::path::{Path, PathBuf};

/// Most files that include each other.
pub(crate) const MAX_INCLUDE_DEPTH: usize = 16;

/// Most files that are read for one report.
pub(crate) const MAX_FILES: usize = 10_000;

/// Most bytes of all files of one report.
pub(crate) const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// Most lines (or tokens, or records) that macros, snippets and generators may become in one report.
pub(crate) const MAX_EXPANDED_LINES: usize = 10_000;

/// Most bytes they may become.
pub(crate) const MAX_EXPANDED_BYTES: usize = 8 * 1024 * 1024;

/// Most bytes of a line after variables and macro arguments were put in.
pub(crate) const MAX_EXPANDED_LINE: usize = 64 * 1024;

/// Why a file gives no report at all.
#[derive(Debug, thiserror::Error)]
pub enum VhostError {
    #[error("cannot read {}", file.display())]
    Io {
        file: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("{} is larger than {MAX_BYTES} bytes", file.display())]
    TooLarge { file: PathBuf },
    #[error("{} is no configuration, scan or zone that can be recognised", file.display())]
    Unrecognised { file: PathBuf },
    #[error("{} holds no main file such as apache2.conf, httpd.conf or nginx.conf", directory.display())]
    NoMainFile { directory: PathBuf },
}

/// Reads the host names of a file and of what it includes. Of a directory, its main file is read.
///
/// The format is recognised by content if it is not given.
pub fn read_vhosts(path: &Path, format: Option<VhostFormat>) -> Result<VhostReport, VhostError> {
    let path = main_file(path)?;
    let failed = |cause| VhostError::Io { file: path.clone(), cause };
    let absolute = std::path::absolute(&path).map_err(failed)?;
    let mut disk = DiskFiles::new(&absolute);
    let bytes = disk.read(&absolute).map_err(failed)?;
    let Ok(bytes) = bytes else { return Err(VhostError::TooLarge { file: path }) };
    let source = SourceFile { path: absolute, text: text_of(&bytes) };
    let Some(format) = format.or_else(|| VhostFormat::recognise(&source.text)) else {
        return Err(VhostError::Unrecognised { file: path });
    };
    disk.keep_at(format.usual_homes());
    let environment = match format {
        VhostFormat::ApacheConfig => apache::environment_beside(&source.path, &mut disk),
        _ => apache::Environment::default(),
    };
    let findings = read_text(&source, format, &environment, &mut |include| disk.load(include));
    Ok(findings.into_report(format, disk.count()))
}

/// Reads one text; files it includes come from `load`.
fn read_text(
    source: &SourceFile,
    format: VhostFormat,
    environment: &apache::Environment,
    load: &mut dyn FnMut(&Include<'_>) -> Loaded,
) -> Findings {
    let mut findings = Findings::default();
    let file = &source.name();
    match format {
        VhostFormat::ApacheConfig => apache::read_config(source, environment, load, &mut findings),
        VhostFormat::ApacheDump => apache::read_dump(&source.text, file, &mut findings),
        VhostFormat::NginxConfig => nginx::read_config(source, load, &mut findings),
        VhostFormat::NginxDump => nginx::read_dump(source, &mut findings),
        VhostFormat::Caddyfile => caddy::read_caddyfile(source, load, &mut findings),
        VhostFormat::CaddyJson => caddy::read_json(&source.text, file, &mut findings),
        VhostFormat::Iis => iis::read(&source.text, file, &mut findings),
        VhostFormat::NmapXml => portscan::read_xml(&source.text, file, &mut findings),
        VhostFormat::NmapGrepable => portscan::read_grepable(&source.text, file, &mut findings),
        VhostFormat::NmapText => portscan::read_text(&source.text, file, &mut findings),
        VhostFormat::MasscanList => portscan::read_list(&source.text, file, &mut findings),
        VhostFormat::MasscanJson => portscan::read_json(&source.text, file, &mut findings),
        VhostFormat::Zone => zone::read(source, load, &mut findings),
        VhostFormat::Hosts => hosts::read(&source.text, file, &mut findings),
    }
    findings
}

/// Main files within the directory of a server's configuration, in the order they are looked for.
const MAIN_FILES: [&str; 8] = [
    "apache2.conf",
    "httpd.conf",
    "conf/httpd.conf",
    "nginx.conf",
    "conf/nginx.conf",
    "Caddyfile",
    "applicationHost.config",
    "config/applicationHost.config",
];

fn main_file(path: &Path) -> Result<PathBuf, VhostError> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let found = MAIN_FILES.iter().map(|name| path.join(name)).find(|file| file.is_file());
    found.ok_or_else(|| VhostError::NoMainFile { directory: path.to_owned() })
}
