//! What `/proc` says about processes.

use std::fs;

/// Neither gone nor waiting to be buried.
pub(crate) fn is_running(process: u32) -> bool {
    state(process).is_some_and(|state| state != 'Z' && state != 'X')
}

fn state(process: u32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before it is in parentheses and may hold anything.
    stat.rsplit_once(") ")?.1.chars().next()
}

pub(crate) fn resident_bytes(process: u32) -> u64 {
    let statm = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * rustix::param::page_size() as u64
}

/// The processes that a process has started.
pub(crate) fn children(process: u32) -> Vec<u32> {
    let parent = |process: u32| -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
    };
    let all = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let processes = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    processes.filter(|&child| parent(child) == Some(process)).collect()
}
