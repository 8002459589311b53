//! How pages look: the frame around them, pieces that several use, styles and the script.
//!
//! Everything is made on the server and works without the script, which only makes some things quicker.

mod assets;
mod bits;
mod chart;
mod frame;

pub(crate) use assets::asset;
pub(crate) use bits::{bar, breadcrumbs, date_time, empty_note, pager, tabs, weight_bar};
pub(crate) use chart::{BarChart, LineChart, legend, series, shortened};
pub(crate) use frame::{Section, frame, problem_page};
