//! What several workers on one PostgreSQL catalog bring, and what that catalog costs one worker beside SQLite.
//!
//! Sixteen generated hosts are served on loopback by this process and crawled without pauses by the real program, once
//! with SQLite, then by 1, 2 and 4 processes on one PostgreSQL that is started here. All of it shares the cores of
//! one machine, so more workers are not faster; what is seen is what sharing costs.
//!
//!     cargo bench -p auslese --bench workers -- [PAGES]

use auslese_testnet::postgres::Cluster;
use auslese_testnet::{Internet, LogDetail, Running, generated_site};
use std::error::Error;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

const HOSTS: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let pages = std::env::args().skip(1).find_map(|it| it.parse().ok()).unwrap_or(20_000usize);
    let internet = (0..HOSTS).fold(Internet::new(), |internet, host| {
        internet.site(generated_site(&name(host), pages / HOSTS, host as u64))
    });
    let web = internet.log_detail(LogDetail::Brief).start()?;
    println!("{HOSTS} hosts with {} pages each", pages / HOSTS);
    println!("catalog      workers  files    seconds  files/s  CPU of the workers, ms per file");
    measure(&web, "SQLite", 1, None)?;
    let cluster = Cluster::start()?;
    for workers in [1, 2, 4] {
        measure(&web, "PostgreSQL", workers, Some(&cluster.create_database()?))?;
    }
    Ok(())
}

fn name(host: usize) -> String {
    format!("h{host}.workers.example")
}

fn measure(
    web: &Running,
    catalog: &str,
    workers: usize,
    database: Option<&str>,
) -> Result<(), Box<dyn Error>> {
    web.reset();
    let folder = tempfile::tempdir()?;
    let net = folder.path().join("net.toml");
    std::fs::write(&net, web.net_settings_toml())?;
    let (begun, cpu_before) = (Instant::now(), children_cpu_seconds()?);
    let crew: Vec<Child> = (0..workers)
        .map(|worker| start(&folder.path().join(format!("w{worker}")), &net, worker, database))
        .collect::<Result<_, _>>()?;
    for mut worker in crew {
        let status = worker.wait()?;
        if !status.success() {
            return Err(format!("a worker ended with {status}").into());
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let cpu = children_cpu_seconds()? - cpu_before;
    let files = web.requests().len() as f64;
    let each = cpu * 1e3 / files;
    println!(
        "{catalog:<12} {workers:<8} {files:<8} {seconds:<8.1} {:<8.0} {each:.2}",
        files / seconds
    );
    Ok(())
}

fn start(
    dir: &Path,
    net: &Path,
    worker: usize,
    database: Option<&str>,
) -> Result<Child, Box<dyn Error>> {
    std::fs::create_dir(dir)?;
    let seeds: Vec<String> = (0..HOSTS).map(|host| format!("\"http://{}/\"", name(host))).collect();
    let config =
        format!("[crawl]\nseeds = [{}]\n[crawl.politeness]\ndelay = \"0\"\n", seeds.join(", "));
    std::fs::write(dir.join("auslese.toml"), config)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_auslese"));
    command.args(["crawl", "--quiet", "--dir"]).arg(dir).arg("--net").arg(net);
    if let Some(url) = database {
        command.args(["--catalog", url, "--worker", &format!("w{worker}")]);
    }
    Ok(command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?)
}

/// Processor time of all processes that were started here and have ended, in user and system mode.
fn children_cpu_seconds() -> Result<f64, Box<dyn Error>> {
    /// How the kernel counts in `/proc`.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // The name of the program stands in brackets and may hold anything.
    let behind_name = stat.rsplit_once(')').ok_or("/proc/self/stat has another form")?.1;
    let field = |number: usize| behind_name.split_whitespace().nth(number - 3)?.parse::<f64>().ok();
    let ticks = field(16).zip(field(17)).ok_or("/proc/self/stat has another form")?;
    Ok((ticks.0 + ticks.1) / TICKS_PER_SECOND)
}
