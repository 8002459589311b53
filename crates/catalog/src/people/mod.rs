//! What people do: the log of their changes, and their remarks.

mod change;
mod remark;

pub use change::{LoggedChange, NewChange};
pub use remark::{MAX_REMARK, NewRemark, Remark, RemarkChange, RemarkKey, Topic};
