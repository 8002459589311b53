//! Becoming another program, confined before it begins.

use crate::confine::confine_helper;
use crate::orders::HelperOrders;
use rustix::process::{Signal, getppid, set_parent_process_death_signal};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Returns only if that failed, with the reason.
pub(super) fn become_helper(orders: &HelperOrders) -> String {
    // The thread that started this process waits for it, so the signal comes only if all is lost.
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        return format!("the helper might outlive the program: {error}");
    }
    let parent = getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs());
    if parent != Some(orders.parent) {
        return "the program that wanted the helper is gone".to_owned();
    }
    // What is missing is known from the readers; standard error belongs to the helper.
    let _ = confine_helper(&orders.program, orders.memory, orders.cpu_seconds);
    let error = Command::new(&orders.program).args(&orders.arguments).exec();
    format!("{} cannot be started: {error}", orders.program.display())
}
