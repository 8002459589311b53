//! Logging in and out, and the log of what people changed.

mod changes;
mod login;

pub(crate) use changes::changes;
pub(crate) use login::{log_in, log_out, login_page};
