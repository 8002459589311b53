//! Archived pages shown again, and what other tools ask an archive.
//!
//! Archived pages are strangers' work, and some of it means harm. Three things keep it in, each by itself: every link
//! is rewritten to lead back here ([`answer`]), every answer carries a policy by which the browser runs and fetches
//! nothing else, and pages are shown in a frame of a page of ours that may show this origin only ([`page`]).
//!
//! On the origin of our pages: Memento ([`memento`]), an index in the manner of CDX servers ([`cdx`]), and single
//! records of the archive ([`record`]).

mod address;
mod answer;
mod body;
mod cdx;
mod finding;
mod http_date;
mod media;
mod memento;
mod notice;
mod page;
mod record;
mod stream;

pub(crate) use address::{is_within_page, own_query};
pub(crate) use answer::replay;
pub(crate) use body::unreadable;
pub(crate) use cdx::cdx;
pub(crate) use finding::{copy_path, newest_copy};
pub(crate) use memento::{time_gate, time_map};
pub(crate) use notice::problem_notice;
pub(crate) use page::archived_page;
pub(crate) use record::record;
