//! What to fetch next and how: scope, politeness, robots, frontier.
//!
//! This crate decides and never acts: it holds no connection, no database and no clock. Facts come
//! in as arguments (time, addresses, verdicts on hosts, answers), judgements go out as values that
//! carry their reason. The conductor asks [`Scheduler::next`], fetches, looks through the answer
//! with [`Finds::of`], asks [`Scope::decide`] about every address found, recognises repeats by
//! [`canonical`] and [`SeenSet`], and reports back.
//!
//! ```
//! use auslese_crawl::{Candidate, Decision, NoFacts, RobotsRules, Scope};
//! use auslese_model::HopPath;
//!
//! let scope = Scope::parse(
//!     "accept host .uni.example
//!      zips: reject suffix .zip .exe",
//! )?;
//! let url = "http://www.uni.example/data.zip".parse().unwrap();
//! let hops = HopPath("L".to_owned());
//! let candidate = Candidate { url: &url, hops: &hops, via_accepted: true };
//! let judgement = scope.judge(&candidate, &NoFacts);
//! assert_eq!(judgement.decided.decision, Decision::Reject);
//! assert_eq!(judgement.trace[1].name, "zips");
//!
//! let robots = RobotsRules::from_answer(200, b"User-agent: *\nDisallow: /data", "auslese");
//! let cause = robots.judge(&url).refusal().unwrap();
//! assert_eq!(cause.to_string(), "robots.txt disallows it: line 2: Disallow: /data");
//! # Ok::<(), auslese_crawl::CrawlError>(())
//! ```

mod budget;
mod canonical;
mod duration_text;
mod error;
mod finds;
mod percent;
mod politeness;
mod priority;
mod retry;
mod robots;
mod schedule;
mod scope;
mod seen;
mod settings;
mod sitemap;
mod traps;

pub use budget::{BudgetReached, BudgetSettings, ServerBudget, Used};
pub use canonical::{CanonicalRules, canonical};
pub use duration_text::{duration_text, parse_duration};
pub use error::{CrawlError, RuleFault};
pub use finds::{Answer, Expected, Find, FindKind, FindSettings, Finds, Media, NofollowPolicy};
pub use politeness::{GroupBy, HostSettings, HostTable, PolitenessSettings, host_settings};
pub use priority::PriorityWeights;
pub use retry::{Fate, Outcome, RetrySettings};
pub use robots::{ROBOTS_BYTES, RobotsLine, RobotsRules, RobotsVerdict, Standing};
pub use schedule::{Bottleneck, Counts, Next, Pushed, Scheduler};
pub use scope::{
    Action, Candidate, Decided, Decision, HostFacts, HostVerdict, Judgement, Measure, Need,
    NoFacts, Opinion, REGEX_BYTES, Rule, Scope, Site, Step, Test, parse_rules,
};
pub use seen::{SeenBudget, SeenError, SeenSet};
pub use settings::{CrawlSettings, FrontierSettings, RobotsSettings};
pub use sitemap::{SITEMAP_BYTES, SITEMAP_URLS, Sitemap, SitemapEntry, read_sitemap};
pub use traps::{
    MAX_TEMPLATE, NoveltyMemory, RECENT_PAGES, Shown, Staleness, Template, TemplateCounts,
    TemplateStanding, TrapSettings, judge as judge_template,
};
