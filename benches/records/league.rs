//! Synthetic leagues: any number of records of bots of known strengths. Equal settings
//! give equal bytes.

use std::fmt::Write as _;
use std::io::{self, Write};

use linesman::random::SplitMix64;
use linesman::record::seal;

/// The difference between the best bot and the worst, in Elo.
const SPREAD: f64 = 800.0;

/// The approximate length of a record.
const RECORD_BYTES: usize = 400;

/// The settings of a league.
#[derive(Copy, Clone, Debug)]
pub struct League {
    pub bots: usize,
    pub games: u64,
    /// The number of seats, two to four.
    pub seats: usize,
    /// The pairing of games by opening.
    pub pairs: Pairs,
    pub seed: u64,
}

/// The pairing of games.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Pairs {
    Yes,
    No,
}

impl League {
    /// Creates a round-robin league with two seats.
    pub fn of_two(bots: usize, games: u64) -> League {
        League { bots, games, seats: 2, pairs: Pairs::No, seed: 1 }
    }

    fn name(bot: usize) -> String {
        format!("bot{bot:04}")
    }

    /// The number of rounds; the last one may be incomplete.
    pub fn rounds(&self) -> u64 {
        self.games.div_ceil(self.games_per_round())
    }

    fn games_per_round(&self) -> u64 {
        (self.bots * (self.bots - 1)) as u64
    }

    /// Returns a matching tournament file.
    pub fn tournament(&self) -> String {
        let mut text = format!(
            "version = 1\nname = \"bulk\"\ngame = \"quixo\"\nrounds = {}\nmovetime = \"1s\"\nseed = {}\n",
            self.rounds(),
            self.seed
        );
        for bot in 0..self.bots {
            let name = League::name(bot);
            write!(text, "\n[[bots]]\nname = \"{name}\"\ncommand = \"linesman bot random\"\n")
                .expect("texts take everything");
        }
        text
    }

    /// Writes all records, one per line.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let mut random = Random(SplitMix64(self.seed));
        let mut line = String::with_capacity(2 * RECORD_BYTES);
        for game in 0..self.games {
            line.clear();
            self.record(game, &mut random, &mut line).expect("texts take everything");
            output.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    fn record(&self, game: u64, random: &mut Random, line: &mut String) -> std::fmt::Result {
        let seated = if self.seats == 2 { self.duel(game) } else { self.table(random) };
        let names: Vec<String> = seated.iter().map(|bot| League::name(*bot)).collect();
        let times = if self.seats == 2 { game / self.games_per_round() + 1 } else { game + 1 };
        write!(line, r#"{{"v":1,"id":"{}~{times}","try":1,"league":"bulk","game":""#, names.join("~"))?;
        line.push_str(if self.seats == 2 { "quixo" } else { "trexo-of-many" });
        line.push_str(r#"","options":{"max_plies":200,"repetition":3,"size":5},"seats":["#);
        for (index, name) in names.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(line, r#"{comma}{{"name":"{name}"}}"#)?;
        }
        line.push_str(r#"],"time_control":"movetime=1s","margin_ms":50"#);
        if self.pairs == Pairs::Yes {
            let mut sorted = names.clone();
            sorted.sort_unstable();
            write!(line, r#","pair":"{}#{times}""#, sorted.join("~"))?;
        }
        let places = self.places(&seated, random);
        let seed = random.0.next_u64() >> 11;
        let mut end = String::new();
        let places = places.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        write!(end, r#""],"places":[{places}],"reason":"line","seed":{seed},"software":"linesman 0.1.0","#)?;
        write!(end, r#""started":"2026-11-21T12:00:00Z","duration_ms":{}}}"#, 100 + random.below(100))?;
        line.push_str(r#","moves":[""#);
        for number in 0.. {
            line.push_str(if number == 0 { "" } else { r#"",""# });
            for _ in 0..2 {
                line.push((b'a' + random.below(5) as u8) as char);
                line.push((b'1' + random.below(5) as u8) as char);
            }
            if line.len() + end.len() + 28 > RECORD_BYTES {
                break;
            }
        }
        line.push_str(&end);
        seal(line);
        line.push('\n');
        Ok(())
    }

    /// Returns the bots of a game. A round has every ordered pair once, in mixed order.
    fn duel(&self, game: u64) -> Vec<usize> {
        let round = self.games_per_round();
        // A prime that divides no such product, so that every pair occurs once.
        let mixed = (u128::from(game % round) * 2_147_483_647 % u128::from(round)) as u64;
        let first = (mixed / (self.bots as u64 - 1)) as usize;
        let second = (mixed % (self.bots as u64 - 1)) as usize;
        vec![first, second + usize::from(second >= first)]
    }

    fn table(&self, random: &mut Random) -> Vec<usize> {
        let mut seated = Vec::with_capacity(self.seats);
        while seated.len() < self.seats {
            let bot = random.below(self.bots as u64) as usize;
            if !seated.contains(&bot) {
                seated.push(bot);
            }
        }
        seated
    }

    /// Draws each seat's place: by strength and chance, 30 Elo for the first seat, near equals tied.
    fn places(&self, seated: &[usize], random: &mut Random) -> Vec<usize> {
        let shown: Vec<f64> = (seated.iter().enumerate())
            .map(|(seat, bot)| {
                let elo =
                    SPREAD * (0.5 - *bot as f64 / self.bots as f64) + if seat == 0 { 30.0 } else { 0.0 };
                elo * std::f64::consts::LN_10 / 400.0 - (-random.share().ln()).ln()
            })
            .collect();
        let clearly = |one: f64, other: f64| one > other + 0.3;
        shown.iter().map(|own| 1 + shown.iter().filter(|other| clearly(**other, *own)).count()).collect()
    }
}

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0.below(end)
    }

    /// Returns a number above 0 and up to 1.
    fn share(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }
}
