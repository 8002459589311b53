//! Which hosts have pages that lead to which.

use crate::discovery::{host, verdict};
use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use std::collections::BTreeSet;

on_both_engines! {
    links_between_hosts
    long_lists_of_links
}

async fn links_between_hosts(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let via = |id, server, via| Offer { via: Some(RequestId(via)), ..offer(id, server) };
    let origin = Origin::parse("http://h1.example:8080").unwrap();
    let other_port = NewServer { id: ServerId(4), origin, label: None };
    let servers = servers([1, 2, 3]).into_iter().chain([other_port]).collect();
    harvest.commit(Commit { servers, offers: vec![offer(1, 1)], ..Default::default() }).await;
    let answered = Commit {
        // The page is answered in this window, or was in an earlier one, or nobody knows it.
        captures: vec![capture(1, 1, 1, run)],
        offers: vec![via(2, 1, 1), via(3, 2, 1), via(4, 4, 1), via(5, 2, 99)],
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(answered).await;
    // Known already: no new request, but a link all the same.
    let known = Offer { via: Some(RequestId(3)), ..offer(2, 1) };
    harvest.commit(Commit { offers: vec![via(6, 3, 3), known], ..Default::default() }).await;

    let linking = async |catalog: &Catalog, name| {
        let hosts = catalog.linking_hosts(&host(name), 9).await.unwrap();
        hosts.iter().map(HostName::to_string).collect::<Vec<_>>()
    };
    let catalog = &harvest.catalog;
    #[rustfmt::skip]
    let cases = [("h1.example", vec!["h2.example"]), ("h2.example", vec!["h1.example"]),
                 ("h3.example", vec!["h2.example"]), ("h9.example", vec![])];
    for (name, expected) in cases {
        assert_eq!(linking(catalog, name).await, expected, "{name}");
    }
    let link = |server, from| ServerLink { server: ServerId(server), from: ServerId(from) };
    for _ in 0..2 {
        let links = [link(3, 1), link(3, 4), link(3, 1), link(2, 2)];
        harvest.commit(Commit { links: links.to_vec(), ..Default::default() }).await;
    }
    let catalog = &harvest.catalog;
    assert_eq!(linking(catalog, "h3.example").await, ["h1.example", "h2.example"]);
    assert_eq!(catalog.linking_hosts(&host("h3.example"), 1).await.unwrap().len(), 1);

    let verdicts = [
        verdict("h3.example", Membership::Member, 0),
        verdict("h2.example", Membership::Foreign, 0),
        verdict("nowhere.example", Membership::Member, 0),
    ];
    catalog.set_verdicts(&verdicts).await.unwrap();
    let pairs = ["h1.example", "h2.example"].map(|from| (host("h3.example"), host(from)));
    assert_eq!(catalog.linked_from().await.unwrap(), pairs);
    let shown = harvest.place.texts("SELECT from_host FROM links WHERE host = 'h3.example'").await;
    assert_eq!(shown.len(), 2);
}

async fn long_lists_of_links(place: Database) {
    // More members than are read at once.
    const HOSTS: i64 = 300;
    const FROM: i64 = 20;
    let mut harvest = Harvest::new(place).await;
    harvest.commit(Commit { servers: servers(1..=HOSTS), ..Default::default() }).await;
    let pairs = (1..=HOSTS).flat_map(|server| (1..=FROM).map(move |from| (server, from)));
    let links: Vec<ServerLink> = pairs
        .map(|(server, from)| ServerLink { server: ServerId(server), from: ServerId(from) })
        .collect();
    harvest.commit(Commit { links, ..Default::default() }).await;
    let members: Vec<Verdict> =
        (1..=HOSTS).map(|id| verdict(&format!("h{id}.example"), Membership::Member, 0)).collect();
    harvest.catalog.set_verdicts(&members).await.unwrap();
    let read = harvest.catalog.linked_from().await.unwrap();
    assert_eq!(read.len() as i64, HOSTS * FROM - FROM);
    assert_eq!(read.iter().collect::<BTreeSet<_>>().len(), read.len());
}
