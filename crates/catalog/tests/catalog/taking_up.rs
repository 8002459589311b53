//! What becomes of parked requests once it is known whether their hosts belong.

use crate::discovery::{host, pattern, verdict};
use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;

on_both_engines! {
    accepted_hosts_are_taken_up
    rejected_hosts_are_dropped
    hosts_that_belong_now_are_taken_up
}

/// Servers `uni.example`, `www.uni.example`, `o_o.uni.example`, `oxo-uni.example`, each with the
/// offers that `offers` makes for its number.
async fn hosts_of_a_domain(harvest: &mut Harvest, offers: impl Fn(i64) -> Vec<Offer>) {
    let names = ["uni.example", "www.uni.example", "o_o.uni.example", "oxo-uni.example"];
    let servers: Vec<NewServer> = names
        .iter()
        .zip(1..)
        .map(|(name, id)| {
            let origin = Origin::parse(&format!("http://{name}")).unwrap();
            NewServer { id: ServerId(id), origin, label: None }
        })
        .collect();
    let offers = (1..=4).flat_map(offers).collect();
    harvest.commit(Commit { servers, offers, ..Default::default() }).await;
}

async fn accepted_hosts_are_taken_up(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let refused = |id, server, kind| Offer {
        state: State::Refused,
        cause: Some(cause(kind, "x")),
        ..offer(id, server)
    };
    hosts_of_a_domain(&mut harvest, |server| {
        let id = server * 10;
        vec![
            refused(id, server, CauseKind::Scope),
            refused(id + 1, server, CauseKind::Excluded),
            refused(id + 2, server, CauseKind::Robots),
            offer(id + 3, server),
        ]
    })
    .await;
    let catalog = &harvest.catalog;
    let cases = [("www.uni.example", 2), ("www.uni.example", 0), (".uni.example", 4)];
    for (text, expected) in cases {
        assert_eq!(catalog.reopen_requests(&pattern(text)).await.unwrap(), expected, "{text}");
    }
    let parked = catalog.parked(&host("www.uni.example"), RequestId(0), 9).await.unwrap();
    assert_eq!(parked.iter().map(|pending| pending.id.0).collect::<Vec<_>>(), [20, 21]);
    assert_eq!(catalog.request(RequestId(20)).await.unwrap().unwrap().cause, None);
    assert_eq!(harvest.state(22).await, Some(State::Refused));
    assert_eq!(harvest.state(40).await, Some(State::Refused));
}

async fn rejected_hosts_are_dropped(place: Database) {
    let mut harvest = Harvest::new(place).await;
    hosts_of_a_domain(&mut harvest, |server| {
        vec![
            offer(server * 10, server),
            parked(server * 10 + 1, server),
            offer(server * 10 + 2, server),
        ]
    })
    .await;
    harvest.commit(Commit { changes: vec![done(12, 1)], ..Default::default() }).await;
    let by_hand = cause(CauseKind::Excluded, ".uni.example, by Ada");
    let catalog = &harvest.catalog;
    let cases = [("oxo.uni.example", 0), ("uni.example", 2), (".uni.example", 6)];
    for (text, expected) in cases {
        let refused = catalog.refuse_requests(&pattern(text), &by_hand).await.unwrap();
        assert_eq!(refused, expected, "{text}");
    }
    let refused = catalog.request(RequestId(30)).await.unwrap().unwrap();
    assert_eq!((refused.state, refused.cause), (State::Refused, Some(by_hand)));
    assert_eq!(harvest.state(12).await, Some(State::Done));
    assert_eq!(harvest.state(40).await, Some(State::Queued));
    let leased: Vec<i64> = harvest.lease("w", 9).await.iter().map(|lease| lease.server.0).collect();
    assert_eq!(leased, [4]);
    // What was rejected by mistake comes back.
    assert_eq!(harvest.catalog.reopen_requests(&pattern(".uni.example")).await.unwrap(), 8);
}

/// What was refused for the sake of a host waits again when its verdict turns, in the same
/// transaction; other hosts and other reasons are left alone.
async fn hosts_that_belong_now_are_taken_up(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let refused = |id, kind| change(id, Change::Refused { cause: cause(kind, "x") });
    let commit = Commit {
        servers: servers([1, 2, 3, 4, 5]),
        offers: (1..=5).map(|id| offer(id, id)).chain([offer(11, 1), offer(12, 1)]).collect(),
        changes: (1..=5)
            .map(|id| refused(id, CauseKind::Scope))
            .chain([refused(11, CauseKind::Robots)])
            .collect(),
        ..Default::default()
    };
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    use Membership::{Foreign, Member, Unsure};
    let before = [
        verdict("h1.example", Foreign, 10),
        verdict("h2.example", Unsure, 10),
        verdict("h3.example", Member, 10),
        verdict("h4.example", Foreign, 10),
    ];
    assert_eq!(catalog.set_verdicts(&before).await.unwrap(), Judged { stored: 4, reopened: 0 });
    let now = [
        verdict("h1.example", Member, 20),
        verdict("h2.example", Member, 20),
        // A member already: refused by another rule.
        verdict("h3.example", Member, 20),
        // An older verdict that arrives late.
        verdict("h4.example", Member, 5),
        // Nobody had judged it.
        verdict("h5.example", Member, 20),
    ];
    assert_eq!(catalog.set_verdicts(&now).await.unwrap(), Judged { stored: 4, reopened: 2 });
    let mut parked = catalog.parked_hosts().await.unwrap();
    parked.sort();
    assert_eq!(parked, [(host("h1.example"), 1), (host("h2.example"), 1)]);
    assert_eq!(catalog.set_verdicts(&now).await.unwrap().reopened, 0);
}
