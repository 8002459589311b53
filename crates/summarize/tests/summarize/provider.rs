//! A provider for a test: a database with hotels, a role that may read some of it, documents and settings.

use auslese_model::{SoifObject, read_soif};
use auslese_summarize::{Refusal, Settings, Summarizer};
use auslese_testnet::mariadb::MariaDb;
use auslese_testnet::postgres::Cluster;
use sqlx::any::{AnyConnectOptions, AnyRow};
use sqlx::{AnyConnection, AssertSqlSafe, ConnectOptions, Connection, Executor, Row};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Postgres,
    MariaDb,
    Sqlite,
}

pub(crate) const KINDS: [Kind; 3] = [Kind::Postgres, Kind::MariaDb, Kind::Sqlite];

pub(crate) const TOKEN: &str = "5f0b1c7a9d3e48f2";

pub(crate) struct Provider {
    pub(crate) kind: Kind,
    pub(crate) folder: TempDir,
    /// Whose rights the summarizer has; no other test uses it.
    pub(crate) role: String,
    admin: String,
    reader: String,
}

/// What every provider of these tests has. Of two hotels the names differ in case, of two in an umlaut.
const HOTELS: [&str; 3] = [
    "CREATE TABLE hotel (id INTEGER PRIMARY KEY, name VARCHAR(80), ort VARCHAR(80), preis DECIMAL(8,2), \
     offen_seit DATE, notiz TEXT, geheim VARCHAR(80))",
    "INSERT INTO hotel VALUES (1, 'Hotel am See', 'Waren', 79.50, '1999-05-01', NULL, 'pin 1'), \
     (2, 'Pension Anker', 'Röbel', 45, '2001-12-24', 'eins\nzwei', 'pin 2'), \
     (3, 'PENSION ANKER', 'waren', 45, NULL, '  ', 'pin 3'), \
     (4, 'Müller', 'Waren', 120, NULL, '', 'pin 4'), (5, 'Muller', NULL, NULL, NULL, 'eins zwei', 'pin 5')",
    "CREATE VIEW region AS SELECT ort AS region FROM hotel",
];

impl Provider {
    pub(crate) fn new(kind: Kind) -> Provider {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let role = format!("reader_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let folder = tempfile::tempdir().unwrap();
        let (admin, reader) = match kind {
            Kind::Postgres => {
                let admin = Cluster::shared().create_database().unwrap();
                let reader = admin.replace("postgres@", &format!("{role}@"));
                (admin, reader)
            }
            Kind::MariaDb => {
                let server = MariaDb::shared();
                let database = server.create_database().unwrap();
                (server.url("root", &database), server.url(&role, &database))
            }
            Kind::Sqlite => {
                let url = format!("sqlite://{}", folder.path().join("city.sqlite").display());
                (format!("{url}?mode=rwc"), url)
            }
        };
        let provider = Provider { kind, folder, role, admin, reader };
        for statement in HOTELS {
            provider.execute(statement);
        }
        let role = &provider.role;
        match kind {
            Kind::Postgres => {
                provider.execute(&format!("CREATE ROLE {role} LOGIN"));
                provider.execute(&format!(
                    "GRANT SELECT (id, name, ort, preis, offen_seit, notiz) ON hotel TO {role}"
                ));
                provider.execute(&format!("GRANT SELECT ON region TO {role}"));
            }
            Kind::MariaDb => {
                provider.execute(&format!("CREATE USER {role}@localhost"));
                provider.execute(&format!(
                    "GRANT SELECT (id, name, ort, preis, offen_seit, notiz) ON hotel TO {role}@localhost"
                ));
                provider.execute(&format!("GRANT SELECT ON region TO {role}@localhost"));
            }
            Kind::Sqlite => {}
        }
        fs::create_dir(provider.folder.path().join("documents")).unwrap();
        provider
    }

    /// Runs a statement with all rights.
    pub(crate) fn execute(&self, statement: &str) {
        block_on(async {
            let mut connection = connect(&self.admin).await;
            let executed = connection.execute(sqlx::raw_sql(AssertSqlSafe(statement))).await;
            executed.unwrap_or_else(|error| panic!("{statement}: {error}"));
            connection.close().await.unwrap();
        });
    }

    /// The number that a query answers.
    pub(crate) fn number(&self, query: &str) -> i64 {
        block_on(async {
            let mut connection = connect(&self.admin).await;
            let row: AnyRow =
                sqlx::query(AssertSqlSafe(query)).fetch_one(&mut connection).await.unwrap();
            connection.close().await.unwrap();
            row.get(0)
        })
    }

    /// A connection with all rights, for tests that hold something.
    pub(crate) async fn admin(&self) -> AnyConnection {
        connect(&self.admin).await
    }

    /// Lets the role read a table.
    pub(crate) fn grant(&self, table: &str) {
        match self.kind {
            Kind::Postgres => self.execute(&format!("GRANT SELECT ON {table} TO {}", self.role)),
            Kind::MariaDb => {
                self.execute(&format!("GRANT SELECT ON {table} TO {}@localhost", self.role));
            }
            Kind::Sqlite => {}
        }
    }

    /// Lays down a document with these lines after the head.
    pub(crate) fn document(&self, name: &str, lines: &str) {
        let head = "Summarizer: https://city.example/summarizer\nURL: https://city.example/form\n\
                    Title: Hotelführer\nDatabase: City\n";
        fs::write(self.documents().join(name), format!("{head}{lines}")).unwrap();
    }

    pub(crate) fn documents(&self) -> std::path::PathBuf {
        self.folder.path().join("documents")
    }

    /// Settings that allow these pairs, with further lines.
    pub(crate) fn settings(&self, allow: &[&str], more: &str) -> Settings {
        self.settings_for(&self.reader, allow, more)
    }

    pub(crate) fn settings_of_admin(&self, allow: &[&str]) -> Settings {
        self.settings_for(&self.admin, allow, "")
    }

    fn settings_for(&self, dsn: &str, allow: &[&str], more: &str) -> Settings {
        write_private(&self.folder.path().join("dsn"), dsn);
        write_private(&self.folder.path().join("token"), TOKEN);
        let text = format!(
            "listen = \"127.0.0.1:0\"\ndocuments.root = \"documents\"\n\
             databases.City.dsn_file = \"dsn\"\ndatabases.City.allow = {allow:?}\n\
             access.clients = [{{ name = \"rostock\", token_file = \"token\" }}]\n{more}"
        );
        let file = self.folder.path().join("summarizer.toml");
        fs::write(&file, text).unwrap();
        Settings::read(&file).unwrap_or_else(|problems| panic!("{problems:?}"))
    }

    /// Summarizes a document with these lines.
    pub(crate) fn summarize(
        &self,
        allow: &[&str],
        lines: &str,
        more: &str,
    ) -> Result<SoifObject, Refusal> {
        self.document("city.DBContent", lines);
        let summarizer = Summarizer::new(self.settings(allow, more));
        let fragment = block_on(summarizer.summarize("city.DBContent"))?;
        let mut bytes = Vec::new();
        fragment.write_to(&mut bytes).unwrap();
        let mut objects = read_soif(&bytes).unwrap();
        assert_eq!(objects.len(), 1);
        Ok(objects.remove(0))
    }

    /// The code of the refusal, or `ok`.
    pub(crate) fn outcome(&self, allow: &[&str], lines: &str, more: &str) -> String {
        match self.summarize(allow, lines, more) {
            Ok(_) => "ok".to_owned(),
            Err(refusal) => refusal.code().to_owned(),
        }
    }
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.unwrap().block_on(future)
}

async fn connect(url: &str) -> AnyConnection {
    sqlx::any::install_default_drivers();
    AnyConnectOptions::from_str(url).unwrap().connect().await.unwrap()
}

fn write_private(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}
