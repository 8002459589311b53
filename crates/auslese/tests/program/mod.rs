//! The real program, run on a harvest of its own against a simulated internet.

use auslese_archive::verify;
use auslese_catalog::Location;
use auslese_testnet::Running;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A harvest in a temporary directory, and how to crawl it.
pub(crate) struct Harvest {
    dir: tempfile::TempDir,
    net: PathBuf,
    database: Option<String>,
}

impl Harvest {
    pub(crate) fn new(web: &Running, config: &str, database: Option<String>) -> Harvest {
        let dir = tempfile::tempdir().unwrap();
        let harvest = dir.path().join("harvest");
        std::fs::create_dir(&harvest).unwrap();
        std::fs::write(harvest.join("auslese.toml"), config).unwrap();
        let net = dir.path().join("net.toml");
        std::fs::write(&net, web.net_settings_toml()).unwrap();
        Harvest { dir, net, database }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.dir.path().join("harvest")
    }

    pub(crate) fn catalog(&self) -> Location {
        match &self.database {
            Some(url) => Location::parse(url).unwrap(),
            None => Location::File(self.path().join("catalog.sqlite")),
        }
    }

    /// `auslese ARGS --dir … --net …`, not yet started.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_auslese"));
        command.args(args).arg("--dir").arg(self.path()).arg("--net").arg(&self.net);
        command.stdin(Stdio::null());
        command
    }

    /// `auslese crawl` of this harvest, not yet started.
    pub(crate) fn crawl(&self) -> Command {
        let mut command = self.command(&["crawl", "--quiet"]);
        if let Some(url) = &self.database {
            command.args(["--catalog", url]);
        }
        command
    }

    /// `auslese archive recompress` of this harvest, not yet started.
    pub(crate) fn recompress(&self) -> Command {
        self.command(&["archive", "recompress", "--quiet"])
    }

    /// Crawls for a time, then kills the crawl; false if it was done before.
    pub(crate) fn crawl_for(&self, time: Duration) -> bool {
        let mut child = self.crawl().stderr(Stdio::null()).spawn().unwrap();
        let running = wait(&mut child, time).is_none();
        // Killing a process that has just ended is no error that matters here.
        let _ = child.kill();
        let status = child.wait().unwrap();
        assert!(running || status.success(), "the crawl ended with {status}");
        running
    }

    /// Crawls until the crawl kills itself at a step of its commit; false if it never got there.
    pub(crate) fn crawl_until(&self, step: &str, count: u64) -> bool {
        let output =
            self.crawl().env("AUSLESE_DIE_AT", format!("{step}:{count}")).output().unwrap();
        use std::os::unix::process::ExitStatusExt;
        output.status.signal() == Some(9)
    }

    pub(crate) fn crawl_to_the_end(&self) -> Output {
        let output = self.crawl().output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {words}", output.status);
        output
    }

    /// All WARC files, closed.
    pub(crate) fn warcs(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.path().join("archive")).unwrap();
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "gz" || end == "open"))
            .collect();
        paths.sort();
        paths
    }

    /// Checks all WARC files, with our reader and, where there is one, with warcio.
    pub(crate) fn verify(&self) {
        let warcs = self.warcs();
        assert!(!warcs.is_empty());
        for path in &warcs {
            assert!(is_closed(path), "{} is still open", path.display());
            let report = verify(path).unwrap();
            assert!(report.faults.is_empty(), "{}: {:?}", path.display(), report.faults);
        }
        if let Some(python) = std::env::var_os("AUSLESE_PYTHON") {
            let mut command = Command::new(python);
            let output = command.args(["-m", "warcio.cli", "check"]).args(&warcs).output().unwrap();
            let words = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "warcio check: {words}");
        }
    }
}

fn is_closed(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".warc.gz")
}

/// Waits for a process, but not longer than that.
fn wait(child: &mut Child, time: Duration) -> Option<std::process::ExitStatus> {
    let end = Instant::now() + time;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if Instant::now() >= end {
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    /// A number from 0 to `limit` - 1.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}
