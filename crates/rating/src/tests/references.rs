//! Published numbers.

use super::leagues::elo;
use crate::{ELO_PER_NATURAL, LikelihoodOptions, Ratings, Results, Tally, rate};

#[track_caller]
fn near(value: f64, expected: f64, within: f64) {
    assert!((value - expected).abs() < within, "{value} instead of {expected}");
}

fn rated(results: &Results) -> Ratings {
    rate(results, &LikelihoodOptions::default()).expect("rated")
}

/// Six brands of chocolate pudding: the compared pair, and the numbers of judges that preferred the first,
/// the second, and neither.
///
/// R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison
/// experiments", Journal of the American Statistical Association 65 (1970), example.
const PUDDINGS: [(u8, u8, u64, u64, u64); 15] = [
    (1, 2, 19, 22, 16),
    (1, 3, 16, 19, 12),
    (2, 3, 19, 19, 10),
    (1, 4, 18, 23, 13),
    (2, 4, 23, 19, 9),
    (3, 4, 19, 20, 15),
    (1, 5, 13, 19, 18),
    (2, 5, 16, 20, 12),
    (3, 5, 16, 15, 17),
    (4, 5, 17, 14, 16),
    (1, 6, 18, 21, 12),
    (2, 6, 22, 20, 12),
    (3, 6, 13, 18, 10),
    (4, 6, 14, 19, 18),
    (5, 6, 11, 21, 12),
];

#[test]
fn davidson_s_worths_of_puddings_are_reproduced() {
    // Davidson has no order effect: with each comparison in both orders it is 0.
    let mut results = Results::new();
    for (one, other, wins, losses, draws) in PUDDINGS {
        let tally = Tally { wins, draws, losses };
        results.add_tally(&one.to_string(), &other.to_string(), tally);
        results.add_tally(&other.to_string(), &one.to_string(), tally.reversed());
    }
    let ratings = rated(&results);
    // Davidson's worths add up to 1; the parameter of ties is in his own terms.
    let published = [0.1388, 0.1730, 0.1617, 0.1654, 0.1587, 0.2024];
    let strength =
        |brand: usize| ratings.of(&brand.to_string()).and_then(|row| row.strength).expect("rated").exp();
    let sum: f64 = (1..=6).map(strength).sum();
    for (brand, worth) in (1..).zip(published) {
        near(strength(brand) / sum, worth, 2e-4);
    }
    near(ratings.draw_parameter().expect("there are ties"), 0.7468, 5e-4);
    near(ratings.first_seat_advantage.expect("known").0, 0.0, 1e-6);
    let scale = ratings.scale.expect("rated");
    // The brands are nearly equal, so the scale is the slope between equals.
    near(scale, 2.0 / 2.7468, 5e-4);
    near(elo(&ratings, "6") - elo(&ratings, "1"), scale * (0.2024_f64 / 0.1388).ln() * ELO_PER_NATURAL, 0.2);
}

const CLUBS: [&str; 7] = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"];

/// Baseball games of the American League East in 1987: for each home team, its wins and losses at home
/// against each of the others, in their order.
///
/// A. Agresti, "Categorical Data Analysis" (2nd edition 2002), section 10.6, as the package BradleyTerry2 has
/// it (`data/baseball.csv`).
const AT_HOME: [[(u64, u64); 6]; 7] = [
    [(4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)],
    [(3, 3), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)],
    [(2, 5), (4, 3), (2, 4), (4, 3), (4, 2), (6, 0)],
    [(3, 3), (5, 1), (2, 5), (4, 3), (4, 2), (6, 1)],
    [(5, 1), (2, 5), (3, 3), (4, 2), (5, 2), (6, 0)],
    [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (2, 4)],
    [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4)],
];

#[test]
fn published_estimates_of_baseball_are_reproduced() {
    let mut results = Results::new();
    for (home, games) in AT_HOME.iter().enumerate() {
        let guests = (0..CLUBS.len()).filter(|guest| *guest != home);
        for (guest, (wins, losses)) in guests.zip(games) {
            let tally = Tally { wins: *wins, draws: 0, losses: *losses };
            results.add_tally(CLUBS[home], CLUBS[guest], tally);
        }
    }
    let options = LikelihoodOptions {
        anchors: vec![crate::Anchor { name: "Baltimore".to_owned(), elo: 0.0 }],
        ..Default::default()
    };
    let ratings = rate(&results, &options).expect("rated");
    // Estimates and standard errors relative to Baltimore, as printed by H. Turner and D. Firth in "Bradley-Terry
    // models in R: the BradleyTerry2 package", Journal of Statistical Software 48 (2012), and in the
    // package's own test of Agresti's analysis (`tests/baseball.Rout.save`).
    let published = [
        ("Boston", 1.1438, 0.3378),
        ("Cleveland", 0.7047, 0.3350),
        ("Detroit", 1.4754, 0.3446),
        ("Milwaukee", 1.6196, 0.3474),
        ("New York", 1.2813, 0.3404),
        ("Toronto", 1.3271, 0.3403),
    ];
    let at = |name: &str| ratings.rows.iter().position(|row| row.name == name).expect("listed");
    for (name, strength, error) in published {
        let difference = ratings.difference(at(name), at("Baltimore")).expect("one group");
        near(difference.elo / ELO_PER_NATURAL, strength, 6e-5);
        near(difference.standard_error / ELO_PER_NATURAL, error, 6e-5);
        near(ratings.of(name).and_then(|row| row.strength).expect("rated"), strength, 6e-5);
    }
    let (elo, interval) = ratings.first_seat_advantage.expect("everybody plays at home too");
    near(elo / ELO_PER_NATURAL, 0.3023, 6e-5);
    near((interval.high - interval.low) / 2.0 / 1.959_964 / ELO_PER_NATURAL, 0.1309, 6e-5);
    assert_eq!(ratings.draw_parameter(), None);
}
