//! The other half of `auslese bench`: a process that serves the generated site.
//!
//! It is this program again, in a mode that no help lists. It says `ready` when the settings that
//! lead to it are written, and ends when its standard input does: so it never outlives the
//! benchmark, however that ends.

use super::simulated_net::write_net_file;
use crate::args::Place;
use crate::messages::{Exit, Failure, Outcome};
use crate::output;
use anyhow::Context;
use auslese_testnet::{Internet, LogDetail, generated_library, generated_site};
use clap::Args;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Hosts that share the pages: enough to keep all connections busy.
const HOSTS: u32 = 4;
/// What the pages are made from; the same in every run, so that runs can be compared.
const SEED: u64 = 2026;
const READY: &str = "ready";

/// Serve a generated site for `auslese bench` until standard input ends
#[derive(Debug, Args)]
pub(crate) struct BenchSiteArgs {
    /// Pages, over all hosts
    #[arg(long, value_name = "N")]
    pages: u32,

    /// Pages of prose with metadata, to be searched
    #[arg(long)]
    library: bool,
}

pub(crate) fn run(args: &BenchSiteArgs, place: &Place) -> Outcome {
    let file = place.net.as_deref();
    let file = file.ok_or_else(|| Failure::usage("the settings file is not named (--net)"))?;
    let pages = args.pages.div_ceil(HOSTS) as usize;
    let generated = if args.library { generated_library } else { generated_site };
    let internet = (0..HOSTS).fold(Internet::new(), |internet, host| {
        internet.site(generated(&host_name(host), pages, SEED + u64::from(host)))
    });
    let net = internet.log_detail(LogDetail::Brief).start().context("cannot serve the site")?;
    write_net_file(file, &net)?;
    output::print(&format!("{READY}\n"))?;
    io::copy(&mut io::stdin().lock(), &mut io::sink())?;
    Ok(Exit::Done)
}

fn host_name(host: u32) -> String {
    format!("bench{host}.example")
}

/// What the site consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SiteKind {
    /// A tree of pages with pictures and style sheets.
    Tree,
    /// Pages of prose with metadata.
    Library,
}

/// A running site; it ends with this value.
pub(crate) struct SiteProcess {
    child: Child,
    seeds: Vec<String>,
}

impl SiteProcess {
    /// Returns when the site can be reached by the settings in `net_file`.
    pub(crate) fn start(
        kind: SiteKind,
        pages: u32,
        net_file: &Path,
    ) -> Result<SiteProcess, Failure> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let child = Command::new(program)
            .args(["bench-site", "--pages", &pages.to_string()])
            .args((kind == SiteKind::Library).then_some("--library"))
            .arg("--net")
            .arg(net_file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the process that serves the site")?;
        let seeds = (0..HOSTS).map(|host| format!("http://{}/", host_name(host))).collect();
        let mut site = SiteProcess { child, seeds };
        site.wait_until_ready()?;
        Ok(site)
    }

    pub(crate) fn seeds(&self) -> &[String] {
        &self.seeds
    }

    fn wait_until_ready(&mut self) -> Result<(), Failure> {
        let mut line = String::new();
        if let Some(stdout) = self.child.stdout.as_mut() {
            BufReader::new(stdout).read_line(&mut line).context("cannot hear from the site")?;
        }
        if line.trim_end() == READY {
            return Ok(());
        }
        Err(anyhow::anyhow!("the process that serves the site ended at once").into())
    }
}

impl Drop for SiteProcess {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        // Whether it ended well matters to nobody any more.
        let _ = self.child.wait();
    }
}
