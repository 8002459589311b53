//! Strangers' documents are read in a process that can do nothing else.
//!
//! Readers of PDF, PostScript and office formats are large, and what they read was made by anybody.
//! So the program starts itself again as a *reader*: a process that first takes every right away from
//! itself that a computation does not need, then gets documents through a pipe and answers with their
//! text. It can open no file and no socket, start nothing, and has limits of memory and time. Whatever
//! goes wrong in it costs one document, whose reason ([`Unread`]) is a value to record.
//!
//! [`Readers`] is the side of the program, [`serve`] that of the process; which readers there are is
//! the program's business. Programs of others ([`Helper`]) are run in the same way.
//!
//! ```standalone_crate
//! use auslese_layout::LayoutText;
//! use auslese_reader::{HelperPrograms, Limits, Readers, Request, Start, Unread, serve};
//!
//! fn read(request: &Request<'_>) -> Result<LayoutText, Unread> {
//!     Ok(LayoutText { page_count: Some(request.bytes.len() as u32), ..LayoutText::default() })
//! }
//!
//! // In `main`, before anything else: was this process started as a reader?
//! let mut arguments = std::env::args_os().skip(1);
//! if arguments.next().is_some_and(|first| first == "reader") {
//!     serve(arguments, read);
//!     return;
//! }
//!
//! let start = Start::this_program(["reader"]);
//! let readers = Readers::new(start, Limits::default(), HelperPrograms::installed());
//! let request = Request { name: "paper.pdf", bytes: b"%PDF-1.4", ..Request::default() };
//! let text = readers.read(&request).expect("it can be read");
//! assert_eq!(text.page_count, Some(8));
//! ```

mod child;
mod confine;
mod frame;
mod limits;
mod orders;
mod parent;
mod request;
mod unread;

pub use child::{ReadDocument, serve};
pub use confine::Confinement;
pub use limits::Limits;
pub use parent::{Helped, Helper, HelperPrograms, HelperStatus, Readers, Start};
pub use request::Request;
pub use unread::Unread;
