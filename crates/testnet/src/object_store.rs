//! A real server of object storage for tests (moto, by the protocol of S3), and a gate before it that makes trouble.
//!
//! The server is a program in Python that ends when its standard input closes, so it does not outlive its test, however
//! that ends. The gate passes requests on, or does what it is told instead: refuses, cuts answers off, or falls silent.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Starts the server with an account and some buckets, and tells its port and the keys of the account. From then on it
/// checks every signature.
const SERVER: &str = r#"
import json, logging, os, sys
os.environ["AWS_ACCESS_KEY_ID"] = os.environ["AWS_SECRET_ACCESS_KEY"] = "nobody"
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = str(3 + len(sys.argv[1:]))
logging.disable(logging.CRITICAL)
import boto3
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
port = server.get_host_and_port()[1]
place = dict(endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1")
people = boto3.client("iam", **place)
people.create_user(UserName="archivist")
everything = {"Effect": "Allow", "Action": "*", "Resource": "*"}
policy = json.dumps({"Version": "2012-10-17", "Statement": [everything]})
people.put_user_policy(UserName="archivist", PolicyName="all", PolicyDocument=policy)
keys = people.create_access_key(UserName="archivist")["AccessKey"]
store = boto3.client("s3", **place)
for bucket in sys.argv[1:]:
    store.create_bucket(Bucket=bucket)
print(port, keys["AccessKeyId"], keys["SecretAccessKey"], flush=True)
sys.stdin.read()
"#;

/// A running server; what it holds is gone when it is dropped.
#[derive(Debug)]
pub struct ObjectStore {
    child: Child,
    /// The server ends when this closes.
    _alive: ChildStdin,
    port: u16,
    access_key: String,
    secret: String,
}

impl ObjectStore {
    /// Starts a server with these buckets, by a Python that has moto.
    pub fn start(python: &str, buckets: &[&str]) -> io::Result<ObjectStore> {
        let mut child = Command::new(python)
            .args(["-c", SERVER])
            .args(buckets)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(alive), Some(words)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the server has no pipes"));
        };
        let mut line = String::new();
        BufReader::new(words).read_line(&mut line)?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let (port, access_key, secret) = match words.as_slice() {
            [port, access_key, secret] => (port.parse().ok(), *access_key, *secret),
            _ => (None, "", ""),
        };
        let port = port.ok_or_else(|| {
            io::Error::other(
                "the server of object storage did not start; has this Python moto[server]?",
            )
        })?;
        let (access_key, secret) = (access_key.to_owned(), secret.to_owned());
        Ok(ObjectStore { child, _alive: alive, port, access_key, secret })
    }

    /// Where it is, as clients write it.
    pub fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The keys of the account that may do everything.
    pub fn keys(&self) -> (&str, &str) {
        (&self.access_key, &self.secret)
    }

    /// The same as a file of credentials.
    pub fn credentials(&self) -> String {
        let (access_key, secret) = self.keys();
        format!("[default]\naws_access_key_id = {access_key}\naws_secret_access_key = {secret}\n")
    }

    /// A gate before it that asks what to do with each request: method, path with query, and the header.
    pub fn gate(
        &self,
        trouble: impl Fn(&Passing<'_>) -> Trouble + Send + Sync + 'static,
    ) -> io::Result<Gate> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let way =
            Arc::new(Way { server: self.port, seen: seen.clone(), trouble: Box::new(trouble) });
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let way = way.clone();
                // A client that went away is no trouble of ours.
                thread::spawn(move || drop(way.lead(client)));
            }
        });
        Ok(Gate { address, seen })
    }
}

impl Drop for ObjectStore {
    fn drop(&mut self) {
        // One that has ended already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A request at the gate.
#[derive(Debug)]
pub struct Passing<'a> {
    /// Such as `PUT /bucket/key?partNumber=1`.
    pub line: &'a str,
    /// The header, line by line.
    pub header: &'a str,
    /// How many requests came before.
    pub before: usize,
}

/// What a gate does with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    None,
    /// The server never hears of it.
    Refuse {
        status: u16,
        code: &'static str,
    },
    /// Only so many bytes of the answer come, and then the connection ends.
    CutAfter(usize),
    /// Only so many bytes of the answer come, and then nothing for this long.
    SilentAfter(usize, Duration),
    /// The server does it, and nobody hears that it did.
    LoseAnswer,
}

/// A gate before a server.
#[derive(Debug)]
pub struct Gate {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Gate {
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests so far, such as `PUT /bucket/key`, with the range they ask for.
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

struct Way {
    server: u16,
    seen: Arc<Mutex<Vec<String>>>,
    trouble: Box<dyn Fn(&Passing<'_>) -> Trouble + Send + Sync>,
}

impl Way {
    /// Leads one request to the server; each connection has one.
    fn lead(&self, client: TcpStream) -> io::Result<()> {
        let mut client = BufReader::new(client);
        let Some((first, header)) = read_header(&mut client)? else { return Ok(()) };
        let line = first.rsplit_once(' ').map_or(first.as_str(), |(line, _version)| line);
        let length = field(&header, "content-length").and_then(|text| text.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        client.read_exact(&mut body)?;
        let before = {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            let range = field(&header, "range").map(|range| format!(" {range}"));
            seen.push(format!("{line}{}", range.unwrap_or_default()));
            seen.len() - 1
        };
        let trouble = (self.trouble)(&Passing { line, header: &header, before });
        let mut client = client.into_inner();
        if let Trouble::Refuse { status, code } = trouble {
            let xml = format!("<Error><Code>{code}</Code><Message>as told</Message></Error>");
            let xml = if line.starts_with("HEAD") { String::new() } else { xml };
            return write!(
                client,
                "HTTP/1.1 {status} Refused\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{xml}",
                xml.len()
            );
        }
        let mut server = TcpStream::connect(("127.0.0.1", self.server))?;
        let header: String = header
            .lines()
            .filter(|line| !line.to_ascii_lowercase().starts_with("connection:"))
            .map(|line| format!("{line}\r\n"))
            .collect();
        write!(server, "{first}\r\n{header}Connection: close\r\n\r\n")?;
        server.write_all(&body)?;
        let mut answer = Vec::new();
        server.read_to_end(&mut answer)?;
        match trouble {
            Trouble::None | Trouble::Refuse { .. } => client.write_all(&answer),
            Trouble::CutAfter(bytes) => client.write_all(&answer[..bytes.min(answer.len())]),
            Trouble::SilentAfter(bytes, time) => {
                client.write_all(&answer[..bytes.min(answer.len())])?;
                client.flush()?;
                thread::sleep(time);
                Ok(())
            }
            Trouble::LoseAnswer => Ok(()),
        }
    }
}

/// The first line, and the lines behind it.
fn read_header(client: &mut impl BufRead) -> io::Result<Option<(String, String)>> {
    let mut first = String::new();
    if client.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    let mut header = String::new();
    loop {
        let mut line = String::new();
        if client.read_line(&mut line)? == 0 || line.trim().is_empty() {
            return Ok(Some((first.trim().to_owned(), header)));
        }
        header.push_str(&line);
    }
}

fn field<'a>(header: &'a str, name: &str) -> Option<&'a str> {
    let lines = header.lines().filter_map(|line| line.split_once(':'));
    lines
        .into_iter()
        .find(|(field, _)| field.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.trim())
}
