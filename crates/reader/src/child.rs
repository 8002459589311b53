//! The side of the child: a process that was started to read, and does nothing else.

mod answering;
mod channel;
mod helper;
mod watching;

use crate::orders::Orders;
use crate::request::Request;
use crate::unread::Unread;
use auslese_layout::LayoutText;
use std::ffi::OsString;
use std::process::ExitCode;

/// What a reader's process does with each document. It may panic, loop or eat all memory; that costs
/// the document.
pub type ReadDocument = fn(&Request<'_>) -> Result<LayoutText, Unread>;

/// The exit code of a process that could not begin, with the reason on its standard error.
pub(crate) const NOT_STARTED: u8 = 120;

/// Is a reader until nobody wants one any more. The program calls this when it was started in the way
/// that [`Start`](crate::Start) describes, with the arguments after those named there, from `main` and
/// before it has started any thread: Landlock closes files to the calling thread and to those it
/// starts, not to others.
pub fn serve(arguments: impl IntoIterator<Item = OsString>, read: ReadDocument) -> ExitCode {
    let mut arguments = arguments.into_iter();
    let orders = match (arguments.next(), arguments.next()) {
        (Some(argument), None) => Orders::from_argument(&argument),
        _ => Err("a reader is started by the program itself, with its orders".to_owned()),
    };
    let done = match orders {
        Ok(Orders::Documents(orders)) => answering::answer_all(&orders, read),
        Ok(Orders::Helper(orders)) => Err(helper::become_helper(&orders)),
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(NOT_STARTED)
        }
    }
}
