//! Log-log plots of costs as the work grows, as SVG.

use std::fmt::Write;

/// Measured costs as the work grows: a line of a plot.
pub struct Growth {
    pub name: String,
    /// Pairs of work and cost.
    pub points: Vec<(f64, f64)>,
}

impl Growth {
    /// Returns the power of the work with which the cost grows: the slope of the
    /// least-squares line through the logarithms.
    pub fn slope(&self) -> f64 {
        let logs: Vec<(f64, f64)> = self.points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
        let number = logs.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / number;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let both: f64 = logs.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
        both / logs.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
    }
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 300.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// The minimum number of labels on an axis.
const MIN_TICKS: usize = 4;
const COLOURS: [&str; 4] = ["#1f5fa8", "#b0413e", "#2d7d46", "#7a4fa3"];
const DASHES: [&str; 4] = ["none", "8 4", "2 3", "10 3 2 3"];

/// A logarithmic scale.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Scale {
        let low = values.clone().fold(f64::INFINITY, f64::min).log10();
        let high = values.fold(f64::NEG_INFINITY, f64::max).log10();
        let room = ((high - low) * 0.05).max(0.05);
        Scale { low: low - room, high: high + room, from, to }
    }

    fn at(&self, value: f64) -> f64 {
        self.from + (value.log10() - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Returns the powers of ten; if they are too few, also some or all of their first nine
    /// multiples; if those are too few, round numbers at equal steps.
    fn ticks(&self) -> Vec<f64> {
        let powers = || self.low.floor() as i32 - 1..=self.high.ceil() as i32;
        let multiples = |factors: &[f64]| -> Vec<f64> {
            let all =
                powers().flat_map(|power| factors.iter().map(move |factor| factor * 10_f64.powi(power)));
            all.filter(|value| (self.low..=self.high).contains(&value.log10())).collect()
        };
        let steps =
            powers().rev().flat_map(|power| [5.0, 2.0, 1.0].map(|factor| factor * 10_f64.powi(power)));
        let at_steps = |step: f64| -> Vec<f64> {
            let (first, last) = (10_f64.powf(self.low) / step, 10_f64.powf(self.high) / step);
            (first.ceil() as u64..=last.floor() as u64).map(|times| times as f64 * step).collect()
        };
        let factors: [&[f64]; 3] = [&[1.0], &[1.0, 2.0, 5.0], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]];
        let mut choices = factors.into_iter().map(multiples).chain(steps.map(at_steps));
        choices.find(|ticks| ticks.len() >= MIN_TICKS).unwrap_or_default()
    }
}

fn number(value: f64) -> String {
    if value >= 1e6 {
        return format!("{} million", value / 1e6);
    }
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the plot as SVG; `work` and `cost` are the names of the axes with their units.
pub fn svg(title: &str, work: &str, cost: &str, lines: &[Growth]) -> String {
    let points = || lines.iter().flat_map(|line| line.points.iter().copied());
    let across = Scale::new(points().map(|point| point.0), LEFT, WIDTH - RIGHT);
    let up = Scale::new(points().map(|point| point.1), HEIGHT - BOTTOM, TOP);
    let mut text = String::new();
    let mut add = |line: String| writeln!(text, "{line}").expect("texts take everything");
    let slopes: Vec<String> =
        lines.iter().map(|line| format!("{}: slope {:.2}", line.name, line.slope())).collect();
    add(format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" font-family="sans-serif" font-size="12">"#
    ));
    add(format!("<title>{title}</title><desc>{cost} by {work}. {}</desc>", slopes.join("; ")));
    add(r#"<rect width="100%" height="100%" fill="white"/>"#.to_owned());
    add(format!(r#"<text x="{LEFT}" y="22" font-size="15">{title}</text>"#));
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    for tick in across.ticks() {
        let x = across.at(tick);
        add(format!(r##"<path d="M{x:.1} {TOP}V{bottom}" stroke="#ddd"/>"##));
        add(format!(
            r#"<text x="{x:.1}" y="{}" text-anchor="middle">{}</text>"#,
            bottom + 18.0,
            number(tick)
        ));
    }
    for tick in up.ticks() {
        let y = up.at(tick);
        add(format!(r##"<path d="M{LEFT} {y:.1}H{right}" stroke="#ddd"/>"##));
        add(format!(
            r#"<text x="{}" y="{:.1}" text-anchor="end">{}</text>"#,
            LEFT - 6.0,
            y + 4.0,
            number(tick)
        ));
    }
    let middle = f64::midpoint(LEFT, right);
    add(format!(r#"<text x="{middle}" y="{}" text-anchor="middle">{work}</text>"#, HEIGHT - 10.0));
    let middle = f64::midpoint(TOP, bottom);
    add(format!(
        r#"<text transform="translate(18 {middle}) rotate(-90)" text-anchor="middle">{cost}</text>"#
    ));
    for (index, (line, slope)) in lines.iter().zip(&slopes).enumerate() {
        let (colour, dash) = (COLOURS[index % COLOURS.len()], DASHES[index % DASHES.len()]);
        let path: Vec<String> =
            line.points.iter().map(|(x, y)| format!("{:.1} {:.1}", across.at(*x), up.at(*y))).collect();
        let style = format!(r#"fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}""#);
        add(format!(r#"<path d="M{}" {style}/>"#, path.join("L")));
        let y = TOP + 20.0 * (index as f64 + 0.5);
        add(format!(r#"<path d="M{} {y}h28" {style}/>"#, right + 12.0));
        add(format!(r#"<text x="{}" y="{}">{slope}</text>"#, right + 46.0, y + 4.0));
    }
    add("</svg>".to_owned());
    text
}
