//! Dates as people write them, and numbers that are none.

use super::*;
use proptest::prelude::*;

fn check(text: &str) -> Vec<String> {
    values(dates(text, &DateReading::up_to(2027)))
}

fn values(found: Vec<FoundDate>) -> Vec<String> {
    found.into_iter().map(|date| date.value).collect()
}

#[test]
fn one_date() {
    #[rustfmt::skip]
    let cases = [
        ("2004-03-12",                            "2004-03-12"),
        ("2004-3-2",                              "2004-03-02"),
        ("2004-03-12T10:15:00+01:00",             "2004-03-12"),
        ("2004-03-12T10:15:00.000Z",              "2004-03-12"),
        ("2004-03-12 10:15",                      "2004-03-12"),
        ("2004/03/12",                            "2004-03-12"),
        ("2004.03.12",                            "2004-03-12"),
        ("2004_03_12",                            "2004-03-12"),
        ("20040312",                              "2004-03-12"),
        ("20040312T101500Z",                      "2004-03-12"),
        ("20040312101500",                        "2004-03-12"),
        ("2004-03",                               "2004-03"),
        ("2004",                                  "2004"),
        (" 2004 ",                                "2004"),
        ("Stand: 12.03.2004",                     "2004-03-12"),
        ("12.03.2004, 10.15 Uhr",                 "2004-03-12"),
        ("12.03.2004,10:15",                      "2004-03-12"),
        ("Stand 12.3.04.",                        "2004-03-12"),
        ("12. 3. 2004",                           "2004-03-12"),
        ("31.12.99",                              "1999-12-31"),
        ("12/03/2004",                            "2004-03-12"),
        ("03/22/2004",                            "2004-03-22"),
        ("22/03/2004",                            "2004-03-22"),
        ("3/4/2004 10:15 PM",                     "2004-03-04"),
        ("12-03-2004",                            "2004-03-12"),
        ("03/2004",                               "2004-03"),
        // German
        ("12. März 2004",                         "2004-03-12"),
        ("12 Mrz 2004",                           "2004-03-12"),
        ("Freitag, 12. Maerz 2004",               "2004-03-12"),
        ("12.März 2004",                          "2004-03-12"),
        ("1. Jänner 2004",                        "2004-01-01"),
        ("den 12. Dez. 2004",                     "2004-12-12"),
        ("Letzte Änderung: März 2004",            "2004-03"),
        // English
        ("March 12, 2004",                        "2004-03-12"),
        ("Mar. 12, 2004",                         "2004-03-12"),
        ("MARCH 12TH, 2004",                      "2004-03-12"),
        ("12th of March 2004",                    "2004-03-12"),
        ("12th of March, 2004",                   "2004-03-12"),
        ("12 December 2004",                      "2004-12-12"),
        ("12 Dezember, 2004 um 01:10",            "2004-12-12"),
        ("Jan.25, 2017",                          "2017-01-25"),
        ("ist klimaaktiv17.08.2021 - 20:51",      "2021-08-17"),
        ("12 March 2004",                         "2004-03-12"),
        ("March 2004",                            "2004-03"),
        ("May 2004",                              "2004-05"),
        ("Fri, 12 Mar 2004 10:15:00 GMT",         "2004-03-12"),
        ("Friday, 12-Mar-04 10:15:00 GMT",        "2004-03-12"),
        ("Fri Mar 12 10:15:00 CET 2004",          "2004-03-12"),
        ("2004 March 12",                         "2004-03-12"),
        ("12-Mar-2004",                           "2004-03-12"),
        // Romance languages
        ("12 mars 2004",                          "2004-03-12"),
        ("1er février 2004",                      "2004-02-01"),
        ("le 3 août 2004",                        "2004-08-03"),
        ("12 de marzo de 2004",                   "2004-03-12"),
        ("12 de septiembre del 2004",             "2004-09-12"),
        ("12 marzo 2004",                         "2004-03-12"),
        ("1º maggio 2004",                        "2004-05-01"),
        ("12 de março de 2004",                   "2004-03-12"),
        ("12 martie 2004",                        "2004-03-12"),
        // The North
        ("12 maart 2004",                         "2004-03-12"),
        ("12. marts 2004",                        "2004-03-12"),
        ("den 12 mars 2004",                      "2004-03-12"),
        ("1. desember 2004",                      "2004-12-01"),
        ("12. maaliskuuta 2004",                  "2004-03-12"),
        // The East
        ("12 marca 2004",                         "2004-03-12"),
        ("12 października 2004 r.",               "2004-10-12"),
        ("12. března 2004",                       "2004-03-12"),
        ("12. září 2004",                         "2004-09-12"),
        ("12 марта 2004 г.",                      "2004-03-12"),
        ("12 березня 2004",                       "2004-03-12"),
        ("2004. március 12.",                     "2004-03-12"),
        ("12 Mart 2004",                          "2004-03-12"),
        ("12 Ağustos 2004",                       "2004-08-12"),
        ("12 Μαρτίου 2004",                       "2004-03-12"),
        ("2004年3月12日",                          "2004-03-12"),
        ("2004 年 3 月",                           "2004-03"),
        ("2004년 3월 12일",                        "2004-03-12"),
        // The calendar
        ("29.02.2004",                            "2004-02-29"),
        ("29.02.2000",                            "2000-02-29"),
    ];
    for (text, expected) in cases {
        assert_eq!(check(text), [expected], "{text}");
    }
}

#[test]
fn no_date() {
    let cases = [
        "",
        "gestern, vor 3 Tagen, yesterday, 2 hours ago",
        "29.02.2003",
        "31.04.2004",
        "32.01.2004",
        "00.01.2004",
        "12.13.2004",
        "1989-12-31",
        "2028-01-01",
        "12.03.1848",
        "Version 1.2.10.5",
        "v1.2.2004",
        "192.168.20.04",
        "Tel. 030 20040312345",
        "ISBN 3-20040-312-5",
        "im Jahr 2004 war es",
        "set 2004 free",
        "99/99/2004",
        "1234567890",
        "4 x 2004",
    ];
    for text in cases {
        assert_eq!(check(text), [""; 0], "{text}");
    }
}

#[test]
fn several_dates_in_order_with_their_places() {
    let text = "Erstellt am 12. März 2004, geändert 13.3.2005 (Druck: 2006-01)";
    let found = dates(text, &DateReading::up_to(2027));
    let seen: Vec<(&str, &str)> =
        found.iter().map(|date| (date.value.as_str(), &text[date.span.clone()])).collect();
    let expected =
        [("2004-03-12", "12. März 2004"), ("2005-03-13", "13.3.2005"), ("2006-01", "2006-01")];
    assert_eq!(seen, expected);
}

#[test]
fn ways_of_reading() {
    let plain = DateReading::up_to(2027);
    let american = DateReading { order: DayOrder::MonthFirst, ..plain.clone() };
    let counting = DateReading { timestamps: true, ..plain.clone() };
    let years = DateReading { years_alone: true, ..plain.clone() };
    let early = DateReading { years: 1500..=2027, ..plain.clone() };
    #[rustfmt::skip]
    let cases = [
        (&american, "03/04/2004",                     vec!["2004-03-04"]),
        (&american, "13/04/2004",                     vec!["2004-04-13"]),
        (&american, "03.04.2004",                     vec!["2004-04-03"]),
        (&counting, "1079086500",                     vec!["2004-03-12"]),
        (&counting, "1079086500000",                  vec!["2004-03-12"]),
        (&counting, "951782400",                      vec!["2000-02-29"]),
        (&plain,    "1079086500",                     vec![]),
        (&years,    "© 2004–2006 Uni, Raum 1234",     vec!["2004", "2006"]),
        (&years,    "12. März 2004",                  vec!["2004-03-12"]),
        (&early,    "12.03.1848",                     vec!["1848-03-12"]),
    ];
    for (reading, text, expected) in cases {
        assert_eq!(values(dates(text, reading)), expected, "{text}");
    }
}

#[test]
fn addresses() {
    #[rustfmt::skip]
    let cases = [
        ("/2004/03/12/titel.html",            vec!["2004-03-12"]),
        ("/2004/03/titel.html",               vec!["2004-03"]),
        ("/2004/3/1/",                        vec!["2004-03-01"]),
        ("/news/2004-03-12-titel",            vec!["2004-03-12"]),
        ("/news/20040312_titel.html",         vec!["2004-03-12"]),
        ("/archiv/200403/",                   vec!["2004-03"]),
        ("/artikel-1.2004123",                vec![]),
        ("/a/b",                              vec![]),
        ("/2004/13/",                         vec![]),
        ("https://a.example/2004/03/12",      vec!["2004-03-12"]),
    ];
    for (address, expected) in cases {
        let found = address_dates(address, &DateReading::up_to(2027));
        assert_eq!(values(found), expected, "{address}");
    }
}

proptest! {
    #[test]
    fn any_text_gives_real_dates_in_order(text in "[0-9./: -]{0,40}|\\PC{0,80}|[0-9]{1,2}\\. (März|May|mars) [0-9]{2,4}") {
        let reading = DateReading { timestamps: true, years_alone: true, ..DateReading::up_to(2027) };
        let mut last = 0;
        for date in dates(&text, &reading) {
            prop_assert!(date.span.start >= last && date.span.end <= text.len());
            last = date.span.end;
            prop_assert!(["YYYY-MM-DD", "YYYY-MM", "YYYY"].iter().any(|form| form.len() == date.value.len()));
            let year: u16 = date.value[..4].parse().unwrap();
            prop_assert!(reading.years.contains(&year));
        }
        address_dates(&text, &reading);
    }

    #[test]
    fn every_day_reads_back(day in 7_305_i64..20_800) {
        let parts = civil(day).unwrap();
        let written = format!("{}.{}.{}", parts.day.unwrap(), parts.month.unwrap(), parts.year);
        let expected = format!("{:04}-{:02}-{:02}", parts.year, parts.month.unwrap(), parts.day.unwrap());
        prop_assert_eq!(check(&written), [expected]);
    }
}
