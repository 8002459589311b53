//! The settings of the crawl: the table `[crawl]` of `auslese.toml`.

use crate::{
    BudgetSettings, CanonicalRules, FindSettings, HostTable, PolitenessSettings, PriorityWeights,
    RetrySettings, Rule, SeenBudget, TrapSettings, duration_text, parse_rules,
};
use serde::{Deserialize, Deserializer, Serialize};
use std::time::Duration;

/// Everything that can be set about the crawl.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CrawlSettings {
    /// Scope rules in order, as a list of lines or one text of several lines. Default: none, which
    /// stands for the scope of the seeds.
    #[serde(deserialize_with = "rules")]
    pub scope: Vec<Rule>,
    pub canonical: CanonicalRules,
    pub politeness: PolitenessSettings,
    pub robots: RobotsSettings,
    pub retry: RetrySettings,
    pub budget: BudgetSettings,
    pub priority: PriorityWeights,
    pub finds: FindSettings,
    pub frontier: FrontierSettings,
    pub traps: TrapSettings,
    /// Exceptions for hosts, by name or `.suffix`.
    pub hosts: HostTable,
}

/// How robots.txt is treated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RobotsSettings {
    /// Whether robots.txt is asked for and obeyed. Default: true.
    pub obey: bool,
    /// The product token that groups in robots.txt are looked up by. Default: "auslese".
    pub agent: String,
    /// How long an answer is used. Default: "24h".
    #[serde(with = "duration_text")]
    pub keep: Duration,
    /// How long a server is left alone whose robots.txt cannot be read. Default: "1h".
    #[serde(with = "duration_text")]
    pub unreachable_for: Duration,
    /// Redirects of robots.txt that are followed. Default: 5, as RFC 9309 asks.
    pub redirects: u8,
}

impl Default for RobotsSettings {
    fn default() -> RobotsSettings {
        RobotsSettings {
            obey: true,
            agent: "auslese".to_owned(),
            keep: Duration::from_secs(24 * 3600),
            unreachable_for: Duration::from_secs(3600),
            redirects: 5,
        }
    }
}

/// What of the frontier is held in memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrontierSettings {
    /// Requests of one server held in memory; the rest waits in the store. Default: 256.
    pub queue: usize,
    /// Bytes of memory for remembering known requests; more than fit go to disk. Default: 192 MiB.
    pub seen_bytes: SeenBudget,
}

impl Default for FrontierSettings {
    fn default() -> FrontierSettings {
        FrontierSettings { queue: 256, seen_bytes: SeenBudget::default() }
    }
}

fn rules<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<Rule>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Lines {
        Text(String),
        List(Vec<String>),
    }
    let text = match Lines::deserialize(input)? {
        Lines::Text(text) => text,
        Lines::List(lines) => lines.join("\n"),
    };
    parse_rules(&text).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<CrawlSettings, String> {
        toml::from_str(text).map_err(|error: toml::de::Error| error.message().to_owned())
    }

    #[test]
    fn defaults_need_nothing() {
        assert_eq!(check(""), Ok(CrawlSettings::default()));
    }

    #[test]
    fn written_settings_read_back() {
        let settings = check(
            "scope = ['accept any', 'reject suffix .zip']\n\
             [politeness]\ndelay = '500ms'\ngroup_by = 'server'\n\
             [budget]\nmax_pages = 10\nper_server.max_time = '1h'\n\
             [finds]\nnofollow = 'pages'\n\
             [hosts.'.intern.example']\ndelay = '0'\n",
        )
        .unwrap();
        assert_eq!(settings.politeness.delay, Duration::from_millis(500));
        assert_eq!(settings.scope.len(), 2);
        assert_eq!(settings.budget.per_server.max_time, Some(Duration::from_secs(3600)));
        assert_eq!(check(&toml::to_string(&settings).unwrap()), Ok(settings));
        let defaults = CrawlSettings::default();
        assert_eq!(check(&toml::to_string(&defaults).unwrap()), Ok(defaults));
    }

    #[test]
    fn faults_are_named() {
        #[rustfmt::skip]
        let cases = [
            ("[politeness]\ndelay = '2'",    "`2` is no duration: its unit must be one of ms, s, m, h, d"),
            ("[politeness]\nwait = '2s'",    "unknown field `wait`"),
            ("speed = 1",                    "unknown field `speed`"),
            ("scope = \"accept any\\nacept x\"", "`acept` is no action; did you mean `accept`? (line 2, column 1)"),
        ];
        for (text, expected) in cases {
            let error = check(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
