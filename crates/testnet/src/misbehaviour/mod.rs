//! Everything servers do wrong, each under its name.
//!
//! A test takes one answer by name, or goes through [`all`] to see that nothing makes a client
//! panic, hang or take what it should not. The bytes are given in full in each constructor, so that
//! the reader sees what is wrong with them.

mod chunks;
mod codings;
mod cuts;
mod handshakes;
mod heads;
mod lengths;
mod redirects;
mod retries;
mod slowness;
mod statuses;

pub use chunks::*;
pub use codings::*;
pub use cuts::*;
pub use handshakes::*;
pub use heads::*;
pub use lengths::*;
pub use redirects::*;
pub use retries::*;
pub use slowness::*;
pub use statuses::*;

use crate::answer::Answer;
use std::time::Duration;

/// A page that misbehaving answers carry, so that a test can see what of it arrived.
pub const PAGE: &str = "<!DOCTYPE html><title>Seite</title><p>Der Inhalt der Seite.</p>\n";

/// A misbehaviour in the list of all.
#[derive(Debug, Clone)]
pub struct Misbehaviour {
    pub name: &'static str,
    pub answer: Answer,
    pub ends: Ends,
}

/// Whether the server comes to an end by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// Within a second or two.
    Soon,
    /// Only when the client gives up.
    WithTheClient,
}

/// Every misbehaviour that can be told without knowing the URL it stands at; for the others see
/// [`redirect_loops`] and [`all_handshakes`].
pub fn all() -> Vec<Misbehaviour> {
    use Ends::{Soon, WithTheClient};
    let pause = Duration::from_millis(5);
    #[rustfmt::skip]
    let table: Vec<(&'static str, Answer, Ends)> = vec![
        ("slow header",               slow_header(pause),             Soon),
        ("slow body",                 slow_body(pause),               Soon),
        ("stalled header",            stalled_header(),               WithTheClient),
        ("stalled body",              stalled_body(),                 WithTheClient),
        ("silent",                    silent(),                       WithTheClient),
        ("endless header",            endless_header(),               WithTheClient),
        ("endless header line",       endless_header_line(),          WithTheClient),
        ("endless interim answers",   endless_interim_answers(),      WithTheClient),
        ("endless body",              endless_body(pause),            WithTheClient),
        ("endless chunks",            endless_chunks(pause),          WithTheClient),
        ("flood",                     flood(),                        WithTheClient),
        ("header of 1 MiB",           large_header(1 << 20),          Soon),
        ("10,000 header lines",       many_header_lines(10_000),      Soon),
        ("no header end",             no_header_end(),                Soon),
        ("bare line feeds",           bare_line_feeds(),              Soon),
        ("line without colon",        line_without_colon(),           Soon),
        ("folded line",               folded_line(),                  Soon),
        ("space before colon",        space_before_colon(),           Soon),
        ("empty header name",         empty_header_name(),            Soon),
        ("non-ASCII header",          non_ascii_header(),             Soon),
        ("NUL in header",             nul_in_header(),                Soon),
        ("empty lines first",         empty_lines_first(),            Soon),
        ("length too long",           length_too_long(),              Soon),
        ("length too short",          length_too_short(),             Soon),
        ("negative length",           negative_length(),              Soon),
        ("two different lengths",     two_different_lengths(),        Soon),
        ("two equal lengths",         two_equal_lengths(),            Soon),
        ("nonsense length",           nonsense_length(),              Soon),
        ("huge length",               huge_length(),                  Soon),
        ("length and chunks",         length_and_chunks(),            Soon),
        ("no length",                 no_length(),                    Soon),
        ("garbage after answer",      garbage_after_answer(),         Soon),
        ("second answer unasked",     second_answer_unasked(),        Soon),
        ("bad chunk size",            bad_chunk_size(),               Soon),
        ("negative chunk size",       negative_chunk_size(),          Soon),
        ("huge chunk size",           huge_chunk_size(),              Soon),
        ("chunk longer than said",    chunk_longer_than_said(),       Soon),
        ("missing last chunk",        missing_last_chunk(),           Soon),
        ("chunk extension",           chunk_extension(),              Soon),
        ("endless chunk extension",   endless_chunk_extension(),      WithTheClient),
        ("chunk trailers",            chunk_trailers(),               Soon),
        ("chunks with line feeds",    chunks_with_line_feeds(),       Soon),
        ("unknown transfer coding",   unknown_transfer_coding(),      Soon),
        ("one byte chunks",           one_byte_chunks(10_000),        Soon),
        ("HTTP/0.9",                  http_0_9(),                     Soon),
        ("HTTP/1.0 without length",   http_1_0_without_length(),      Soon),
        ("status without words",      status_without_words(),         Soon),
        ("ICY",                       icy(),                          Soon),
        ("status 999",                status_999(),                   Soon),
        ("status 099",                status_099(),                   Soon),
        ("status with letters",       status_with_letters(),          Soon),
        ("HTTP/9.9",                  http_9_9(),                     Soon),
        ("lower case http",           lower_case_http(),              Soon),
        ("interim answers",           interim_answers(),              Soon),
        ("switching protocols",       switching_protocols(),          Soon),
        ("204 with body",             no_content_with_body(),         Soon),
        ("304 with body",             not_modified_with_body(),       Soon),
        ("empty 200",                 empty_ok(),                     Soon),
        ("two-digit year",            dated(TWO_DIGIT_YEAR),          Soon),
        ("year 105",                  dated(YEAR_105),                Soon),
        ("German month",              dated(GERMAN_MONTH),            Soon),
        ("epoch number",              dated(EPOCH_NUMBER),            Soon),
        ("empty date",                dated(""),                      Soon),
        ("redirect without location", redirect_without_location(),    Soon),
        ("redirect to bad URL",       redirect_to_bad_url(),          Soon),
        ("redirect to other scheme",  redirect_to_other_scheme(),     Soon),
        ("redirect in raw bytes",     redirect_in_latin1(),           Soon),
        ("two locations",             two_locations(),                Soon),
        ("300 without location",      multiple_choices(),             Soon),
        ("gzip bomb",                 gzip_bomb(1 << 30),             Soon),
        ("broken gzip",               broken_gzip(),                  Soon),
        ("cut gzip",                  cut_gzip(),                     Soon),
        ("gzip twice",                gzip_twice(),                   Soon),
        ("gzip unasked",              gzip_unasked(),                 Soon),
        ("gzip that is none",         gzip_that_is_none(),            Soon),
        ("unknown content coding",    unknown_content_coding(),       Soon),
        ("garbage after gzip",        garbage_after_gzip(),           Soon),
        ("wrong content type",        wrong_content_type(),           Soon),
        ("no content type",           no_content_type(),              Soon),
        ("two content types",         two_content_types(),            Soon),
        ("429",                       busy(429, RetryAfter::Unsaid),  Soon),
        ("429 for a second",          busy(429, RetryAfter::Seconds(1)), Soon),
        ("503",                       busy(503, RetryAfter::Unsaid),  Soon),
        ("503 for a second",          busy(503, RetryAfter::Seconds(1)), Soon),
        ("503 until a date",          busy(503, RetryAfter::DateIn(Duration::from_secs(2))), Soon),
        ("503 with nonsense",         busy(503, RetryAfter::Text("bald")), Soon),
        ("reset before header",       reset_before_header(),          Soon),
        ("reset inside header",       reset_inside_header(),          Soon),
        ("reset inside body",         reset_inside_body(),            Soon),
        ("close without answer",      close_without_answer(),         Soon),
        ("close inside header",       close_inside_header(),          Soon),
        ("close inside body",         close_inside_body(),            Soon),
        ("close unannounced",         close_unannounced(),            Soon),
    ];
    table.into_iter().map(|(name, answer, ends)| Misbehaviour { name, answer, ends }).collect()
}

/// A header block before [`PAGE`], which gets this header line besides its type and length.
fn page_with_line(line: &str) -> Answer {
    Answer::raw(format!(
        "HTTP/1.1 200 OK\r\n{line}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{PAGE}",
        PAGE.len()
    ))
}
