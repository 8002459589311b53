//! What a site answers.
//!
//! Three kinds cover everything a test wants to say: a *response*, which the server frames
//! correctly (length or chunks, HEAD, 304); a *script*, whose bytes and pauses go out exactly as
//! written, right or wrong; and an answer *chosen* for each request, by turn or by a function.

use crate::request::Asked;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// The answer to a request, cheap to clone.
#[derive(Debug, Clone)]
pub struct Answer(pub(crate) Kind);

#[derive(Clone)]
pub(crate) enum Kind {
    Response(Arc<Response>),
    Script(Arc<[Step]>),
    Sequence(Arc<[Answer]>),
    Computed(Arc<dyn Fn(&Asked) -> Answer + Send + Sync>),
}

/// One step of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Send(Arc<[u8]>),
    /// Sends a pattern a number of times, so that large answers need no memory.
    Repeat {
        pattern: Arc<[u8]>,
        times: u64,
    },
    /// Sends a pattern until the client goes away, pausing after each.
    SendForever {
        pattern: Arc<[u8]>,
        pause: Duration,
    },
    /// Waits, unless the client ends its side of the connection first: then the answer is over.
    Wait(Duration),
    /// Cuts the connection with a TCP reset.
    Reset,
    /// Ends the connection properly. A script without an end closes, too.
    Close,
    /// Keeps the connection for the next request.
    KeepAlive,
}

impl Step {
    pub fn send(bytes: impl AsRef<[u8]>) -> Step {
        Step::Send(bytes.as_ref().into())
    }
}

/// A well-framed response.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Arc<[u8]>,
    /// The body for clients that accept gzip.
    pub(crate) gzipped: Option<Arc<[u8]>>,
    pub(crate) framing: Framing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Length,
    Chunked { size: usize },
    UntilClose,
}

impl Answer {
    /// An HTML page in UTF-8.
    pub fn page(html: impl Into<String>) -> Answer {
        Answer::file("text/html; charset=utf-8", html.into())
    }

    /// Any body with its media type.
    pub fn file(media_type: &str, body: impl Into<Vec<u8>>) -> Answer {
        Answer::response(200, body.into()).header("Content-Type", media_type)
    }

    /// A body without any header line but those the server adds.
    pub fn body(body: impl Into<Vec<u8>>) -> Answer {
        Answer::response(200, body.into())
    }

    /// A status with a small page that names it.
    pub fn error(status: u16) -> Answer {
        let words = reason(status);
        Answer::page(format!("<!DOCTYPE html><title>{status} {words}</title><h1>{words}</h1>\n"))
            .status(status)
    }

    pub fn redirect(status: u16, location: &str) -> Answer {
        Answer::error(status).header("Location", location)
    }

    /// Exactly these bytes, then the end of the connection.
    pub fn raw(bytes: impl AsRef<[u8]>) -> Answer {
        Answer::script([Step::send(bytes)])
    }

    pub fn script(steps: impl IntoIterator<Item = Step>) -> Answer {
        Answer(Kind::Script(steps.into_iter().collect()))
    }

    /// These answers in turn, the last one for ever; counted per path.
    ///
    /// # Panics
    /// If there is no answer at all.
    pub fn sequence(answers: impl IntoIterator<Item = Answer>) -> Answer {
        let answers: Arc<[Answer]> = answers.into_iter().collect();
        assert!(!answers.is_empty(), "a sequence needs an answer");
        Answer(Kind::Sequence(answers))
    }

    /// An answer made for each request.
    pub fn from_fn(answer: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Answer {
        Answer(Kind::Computed(Arc::new(answer)))
    }

    /// Sets the status of a response; a script is left as it is.
    pub fn status(self, status: u16) -> Answer {
        self.change(|response| response.status = status)
    }

    /// Adds a header line to a response; a script is left as it is.
    pub fn header(self, name: &str, value: impl AsRef<[u8]>) -> Answer {
        let line = (name.to_owned(), value.as_ref().to_owned());
        self.change(|response| response.headers.push(line))
    }

    /// Sends the body in chunks of this size.
    pub fn chunked(self, size: usize) -> Answer {
        self.change(|response| response.framing = Framing::Chunked { size: size.max(1) })
    }

    /// Sends the body without a length; its end is the end of the connection.
    pub fn until_close(self) -> Answer {
        self.change(|response| response.framing = Framing::UntilClose)
    }

    /// Compresses the body for clients that accept gzip.
    pub fn gzip(self) -> Answer {
        self.change(|response| response.gzipped = Some(gzip(&response.body).into()))
    }

    fn response(status: u16, body: Vec<u8>) -> Answer {
        Answer(Kind::Response(Arc::new(Response {
            status,
            headers: Vec::new(),
            body: body.into(),
            gzipped: None,
            framing: Framing::Length,
        })))
    }

    fn change(mut self, change: impl FnOnce(&mut Response)) -> Answer {
        if let Kind::Response(response) = &mut self.0 {
            change(Arc::make_mut(response));
        }
        self
    }

    /// The body of a page that is the same for every request, without content coding.
    pub(crate) fn fixed_body(&self) -> Option<&Arc<[u8]>> {
        match &self.0 {
            Kind::Response(response) if response.status == 200 => Some(&response.body),
            _ => None,
        }
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Response(response) => response.fmt(f),
            Kind::Script(steps) => steps.fmt(f),
            Kind::Sequence(answers) => answers.fmt(f),
            Kind::Computed(_) => f.write_str("Computed"),
        }
    }
}

/// Bytes as one gzip member.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("a Vec takes all bytes")
}

/// The words after the status code.
pub(crate) fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        410 => "Gone",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        _ => "Status",
    }
}
