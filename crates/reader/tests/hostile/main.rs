//! Readers and helpers at their worst: everything that can go wrong in them costs one document, with
//! the right reason, and the next one is read as if nothing had happened.
//!
//! This program is both sides. Started as `reader` it is a reader whose documents say what it does;
//! started as `parent` it has readers of its own, to be killed with; otherwise it is a test.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod breaking;
mod confinement;
mod ghostscript;
mod lasting;
mod measuring;
mod misdeeds;
mod orphans;
mod processes;

use auslese_reader::{HelperPrograms, Limits, Readers, Request, Start, serve};
use libtest_mimic::{Arguments, Trial};
use std::num::NonZero;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next().as_deref().and_then(|first| first.to_str()) {
        Some("reader") => return serve(arguments, misdeeds::read),
        Some("poor") => return confinement::read_on_a_poor_kernel(arguments),
        Some("liar") => return breaking::lie(arguments),
        Some("parent") => return orphans::be_parent(),
        _ => {}
    }
    let tests = [
        breaking::tests(),
        confinement::tests(),
        ghostscript::tests(),
        lasting::tests(),
        measuring::tests(),
        orphans::tests(),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests.into_iter().flatten().collect()).exit_code()
}

fn test(name: &'static str, body: fn()) -> Trial {
    Trial::test(name, move || {
        body();
        Ok(())
    })
}

/// Tests share two cores with each other, so nothing that should succeed is in a hurry.
fn limits() -> Limits {
    Limits {
        processes: NonZero::<usize>::MIN,
        time: Duration::from_secs(60),
        memory: 256 << 20,
        ..Limits::default()
    }
}

fn readers(limits: Limits) -> Readers {
    Readers::new(Start::this_program(["reader"]), limits, HelperPrograms::installed())
}

/// A document that says what its reader is to do.
fn order(format: &str) -> Request<'_> {
    Request { format, ..Request::default() }
}

/// The process that reads now.
fn process_of(readers: &Readers) -> u32 {
    let text = readers.read(&order("process")).expect("an ordinary document");
    text.page_count.expect("its process id")
}
