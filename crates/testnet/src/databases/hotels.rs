//! Hotels of a country that does not exist: regions, their towns, and what lets rooms in them.

use crate::generated::Numbers;
use std::collections::HashSet;

/// A made-up database. Hotels stand in the order of their towns, and towns in that of their regions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HotelDatabase {
    towns: Vec<Town>,
    hotels: Vec<Hotel>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Town {
    pub name: String,
    /// As in [`HotelDatabase::regions`].
    pub region: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hotel {
    /// Counted from 1.
    pub id: usize,
    /// No two have the same.
    pub name: String,
    pub town: String,
    pub region: &'static str,
    pub street: String,
    pub rooms: u64,
    /// The internal value of its kind, as in [`KINDS`].
    pub(super) kind: &'static str,
    /// The internal value of its price, as in [`PRICES`].
    pub(super) price: &'static str,
}

/// Internal values and visible texts.
pub(super) const PRICES: [(&str, &str); 4] =
    [("1", "bis 40 €"), ("2", "40 bis 80 €"), ("3", "80 bis 120 €"), ("4", "über 120 €")];
pub(super) const KINDS: [(&str, &str); 4] =
    [("h", "Hotel"), ("p", "Pension"), ("g", "Gasthof"), ("f", "Ferienhof")];

const REGIONS: [&str; 12] = [
    "Bärwalder Höhe",
    "Fährland",
    "Grüne Börde",
    "Hohenwerther Schweiz",
    "Klosterwinkel",
    "Mühlengrund",
    "Nördliches Seenland",
    "Oberes Werthtal",
    "Salzküste",
    "Südliches Seenland",
    "Tiefe Heide",
    "Unteres Werthtal",
];

/// Hotels per town, on average.
const HOTELS_PER_TOWN: usize = 7;
/// The parts of their names make 3,840 different towns; the last of them would take long to draw.
const MOST_TOWNS: usize = 3_000;

impl HotelDatabase {
    /// A database of so many hotels. The same seed makes the same database.
    pub fn new(hotels: usize, seed: u64) -> HotelDatabase {
        let towns = towns((hotels / HOTELS_PER_TOWN).clamp(REGIONS.len(), MOST_TOWNS), seed);
        let mut places: Vec<usize> = (0..hotels)
            .map(|hotel| {
                let any = Numbers::apart(seed, hotel).next() as usize % towns.len();
                // Every town has a hotel, as long as there are enough.
                if hotel < towns.len() { hotel } else { any }
            })
            .collect();
        places.sort_unstable();
        let mut names = HashSet::new();
        let hotels = (1..).zip(places).map(|(id, place)| {
            let mut numbers = Numbers::apart(seed ^ 1, id);
            hotel(id, &towns[place], &mut numbers, &mut names)
        });
        let hotels = hotels.collect();
        HotelDatabase { towns, hotels }
    }

    pub fn regions(&self) -> &'static [&'static str] {
        &REGIONS
    }

    pub fn towns(&self) -> &[Town] {
        &self.towns
    }

    pub fn hotels(&self) -> &[Hotel] {
        &self.hotels
    }
}

/// The internal value of a region: its number, from 1.
pub(super) fn region_of(value: &str) -> Option<&'static str> {
    REGIONS.get(value.parse::<usize>().ok()?.checked_sub(1)?).copied()
}

fn towns(count: usize, seed: u64) -> Vec<Town> {
    let mut names = HashSet::new();
    let mut numbers = Numbers::apart(seed ^ 2, count);
    while names.len() < count {
        let before = ["", "", "", "", "Alt ", "Neu ", "Groß ", "Klein ", "Bad "];
        let start = pick(&before, &mut numbers);
        let town = format!("{start}{}{}", pick(&STEMS, &mut numbers), pick(&ENDINGS, &mut numbers));
        names.insert(town);
    }
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort_unstable();
    let mut towns: Vec<Town> = names
        .into_iter()
        .zip(REGIONS.iter().cycle())
        .map(|(name, region)| Town { name, region })
        .collect();
    // Stable: in a region the towns stay in the order of the alphabet.
    towns.sort_by_key(|town| town.region);
    towns
}

fn hotel(id: usize, town: &Town, numbers: &mut Numbers, names: &mut HashSet<String>) -> Hotel {
    let (kind, word) = KINDS[numbers.next() as usize % KINDS.len()];
    let sign = match numbers.next() % 3 {
        0 => format!("{} {}", pick(&COLOURS, numbers), pick(&ANIMALS, numbers)),
        1 => pick(&PLACES, numbers).to_owned(),
        _ => pick(&FAMILIES, numbers).to_owned(),
    };
    let short = format!("{word} {sign}");
    let long = format!("{short} {}", town.name);
    let candidates = [short, long.clone()].into_iter();
    let mut candidates = candidates.chain((2..).map(|number| format!("{long} {number}")));
    let name = candidates.find(|name| names.insert(name.clone())).unwrap_or(long);
    let street = format!("{} {}", pick(&STREETS, numbers), numbers.within(1..=48));
    let rooms = numbers.within(4..=120);
    let (price, _) = PRICES[numbers.next() as usize % PRICES.len()];
    Hotel { id, name, town: town.name.clone(), region: town.region, street, rooms, kind, price }
}

fn pick<'a>(some: &[&'a str], numbers: &mut Numbers) -> &'a str {
    some[numbers.next() as usize % some.len()]
}

#[rustfmt::skip]
const STEMS: [&str; 40] = [
    "Bären", "Birken", "Böhm", "Buch", "Dachs", "Dorn", "Eichen", "Erlen", "Fähr", "Falken", "Fisch", "Gülz", "Grün",
    "Hasel", "Hirsch", "Höhen", "Jäger", "Kälber", "Königs", "Kranich", "Lübb", "Linden", "Mühl", "Moor", "Nessel",
    "Ostr", "Pfarr", "Quell", "Röb", "Rohr", "Salz", "Schön", "Stein", "Teich", "Ulmen", "Vogel", "Wald", "Werth", "Wolfs", "Zühl",
];
#[rustfmt::skip]
const ENDINGS: [&str; 16] = [
    "au", "bach", "berg", "born", "brück", "burg", "dorf", "feld", "furt", "hagen", "heim", "hof", "itz", "ow", "see", "tal",
];
#[rustfmt::skip]
const COLOURS: [&str; 8] = ["Goldener", "Schwarzer", "Weißer", "Roter", "Grüner", "Blauer", "Alter", "Müder"];
#[rustfmt::skip]
const ANIMALS: [&str; 16] = [
    "Adler", "Bär", "Dachs", "Elch", "Falke", "Fuchs", "Hahn", "Hecht", "Hirsch", "Kranich", "Löwe", "Ochse", "Schwan",
    "Storch", "Uhu", "Wels",
];
#[rustfmt::skip]
const PLACES: [&str; 16] = [
    "am Alten Hafen", "am Brunnen", "am Fährhaus", "am Kloster", "am Markt", "am Moor", "am Schloss", "am See", "an der Brücke",
    "an der Mühle", "an der Werth", "im Park", "unter den Linden", "zum Anker", "zur Schönen Aussicht", "zur Post",
];
#[rustfmt::skip]
const FAMILIES: [&str; 24] = [
    "Ahrens", "Böttcher", "Cordes", "Dühring", "Eggers", "Fröhlich", "Gärtner", "Hübner", "Ihde", "Jürgens", "Köhler",
    "Lüders", "Möller", "Nüßlein", "Öhler", "Päpke", "Quast", "Röhrig", "Schäfer", "Thöne", "Ückert", "Voß", "Wölk", "Zöllner",
];
#[rustfmt::skip]
const STREETS: [&str; 10] = [
    "Am Hafen", "Bahnhofstraße", "Dorfstraße", "Färbergasse", "Hauptstraße", "Kirchplatz", "Markt", "Mühlenweg", "Seestraße", "Waldweg",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_a_name_of_its_own_and_a_place() {
        for (hotels, towns) in [(400, 57), (5, 12), (20_000, 2_857), (40_000, 3_000)] {
            let database = HotelDatabase::new(hotels, 7);
            assert_eq!(database, HotelDatabase::new(hotels, 7));
            assert_ne!(database, HotelDatabase::new(hotels, 8));
            assert_eq!((database.hotels().len(), database.towns().len()), (hotels, towns));
            let names: HashSet<&str> = database.hotels().iter().map(|it| &*it.name).collect();
            assert_eq!(names.len(), hotels);
            let occupied: HashSet<&str> = database.hotels().iter().map(|it| &*it.town).collect();
            assert_eq!(occupied.len(), towns.min(hotels));
            let regions: HashSet<&str> = database.towns().iter().map(|it| it.region).collect();
            assert_eq!(regions.len(), REGIONS.len());
        }
    }
}
