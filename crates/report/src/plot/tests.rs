//! Tests of the plots: their appearance, and their resistance to hostile names.

use super::*;
use crate::league_report::tests::{HOSTILE, well_formed};
use crate::markup::Html;

fn course(names: &[&str]) -> CoursePlot {
    let track = |(index, name): (usize, &&str)| {
        let points = (1..=5_u64).map(|step| {
            let swing = if step % 2 == 0 { 60.0 } else { -40.0 };
            (step * 24, 1_700.0 - 130.0 * index as f64 + swing / step as f64)
        });
        Track { name: (*name).to_owned(), points: points.collect() }
    };
    CoursePlot { tracks: names.iter().enumerate().map(track).collect(), drawn_from: None }
}

fn intervals(names: &[&str]) -> IntervalPlot {
    let estimates = names.iter().enumerate().map(|(index, name)| {
        let elo = 1_700.0 - 130.0 * index as f64;
        let interval = match index {
            0 => Some((elo - 80.0, f64::INFINITY)),
            3 => None,
            _ => Some((elo - 60.0, elo + 60.0)),
        };
        Estimate { name: (*name).to_owned(), elo, interval }
    });
    IntervalPlot { estimates: estimates.collect(), middle: Some((1_500.0, "mean 1500".to_owned())) }
}

fn lengths() -> HistogramPlot {
    let bins = [4, 9, 17, 8, 1].into_iter().zip(0..).map(|(games, bin)| Bin {
        from: 10 + bin * 5,
        to: 14 + bin * 5,
        games,
    });
    HistogramPlot { bins: bins.collect(), mean: Some(21.4), beyond: 2 }
}

fn all(names: &[&str], canvas: &Canvas<'_>) -> [String; 3] {
    let plots = [course(names).draw(canvas), intervals(names).draw(canvas), lengths().draw(canvas)];
    plots.map(|plot| plot.expect("there is something to see").into_string())
}

const NARROW: Canvas<'_> = Canvas::Page { id: "p", room: Room::Narrow };
const WIDE: Canvas<'_> = Canvas::Page { id: "p", room: Room::Wide };

#[test]
fn plots_are_determined() {
    let [course, intervals, lengths] = all(&["ada", "bob", "cleo", "dan"], &NARROW);
    insta::assert_snapshot!(course);
    insta::assert_snapshot!(intervals);
    insta::assert_snapshot!(lengths);
}

#[test]
fn every_plot_has_a_title_a_description_and_axes_with_units() {
    for canvas in [Canvas::File, NARROW, WIDE] {
        for (plot, units) in all(&["ada", "bob"], &canvas).iter().zip([
            ["games played", "rating (Elo)"].as_slice(),
            &["rating (Elo)"],
            &["length (plies)", "games"],
        ]) {
            assert!(plot.contains("<title id=") && plot.contains("<desc id="), "{plot}");
            assert!(plot.contains(r#"class="heading""#), "{plot}");
            for unit in units {
                assert!(plot.contains(&format!(">{unit}</text>")), "{unit}");
            }
            well_formed(plot);
        }
    }
    let [_, intervals, lengths] = all(&["ada", "bob"], &WIDE);
    assert!(intervals.contains("ada 1700 (above 1620), bob 1570 (1510 to 1630)."), "{intervals}");
    assert!(lengths.contains("The highest bar: 20 to 24 plies: 17 games."), "{lengths}");
    assert!(lengths.contains("2 games are longer and not shown."), "{lengths}");
}

#[test]
fn a_course_that_leaves_out_early_ratings_says_so() {
    let plot = CoursePlot { drawn_from: Some(1_200), ..course(&["ada", "bob"]) };
    for canvas in [Canvas::File, NARROW, WIDE] {
        let plot = plot.draw(&canvas).expect("there is something to see").into_string();
        assert!(plot.contains(">games played (drawn from 1,200 on)</text>"), "{plot}");
        assert!(
            plot.contains("Ratings after fewer than 1,200 games are mostly chance and are not drawn."),
            "{plot}"
        );
    }
}

#[test]
fn a_plot_in_a_file_has_its_style_and_loads_nothing() {
    for plot in all(&["ada", "bob"], &Canvas::File) {
        assert!(plot.contains("<style>") && plot.contains("prefers-color-scheme: dark"));
        assert_eq!(plot.matches("http").count(), 1, "the namespace alone");
        for word in ["url(", "href", "@import", "<script", "<image", "<foreignObject"] {
            assert!(!plot.contains(word), "{word}");
        }
    }
    assert!(all(&["ada", "bob"], &WIDE).iter().all(|plot| !plot.contains("<style>")), "the page has it");
}

#[test]
fn names_are_nothing_but_text() {
    for canvas in [Canvas::File, NARROW, WIDE] {
        for plot in all(&HOSTILE, &canvas) {
            well_formed(&plot);
            assert!(!plot.contains("<script") && !plot.contains("<img"), "{plot}");
        }
    }
}

#[test]
fn without_data_there_is_no_plot() {
    assert_eq!(CoursePlot::default().draw(&WIDE), None);
    let once = Track { name: "ada".to_owned(), points: vec![(3, 1_500.0)] };
    assert_eq!(CoursePlot { tracks: vec![once], drawn_from: None }.draw(&WIDE), None);
    assert_eq!(IntervalPlot::default().draw(&WIDE), None);
    assert_eq!(HistogramPlot::default().draw(&WIDE), None);
}

#[test]
fn unusual_numbers_break_no_plot() {
    let estimate = |elo, interval| Estimate { name: "a".to_owned(), elo, interval };
    let odd = [
        IntervalPlot { estimates: vec![estimate(1_500.0, None)], middle: None },
        IntervalPlot { estimates: vec![estimate(1_500.0, Some((1_500.0, 1_500.0)))], middle: None },
        IntervalPlot {
            estimates: vec![
                estimate(0.0, Some((f64::NEG_INFINITY, f64::INFINITY))),
                estimate(f64::NAN, None),
                estimate(-1e7, Some((-1e9, 1e9))),
            ],
            middle: None,
        },
    ];
    let flat = Track { name: "a".to_owned(), points: vec![(1, 1_500.0), (u64::MAX, 1_500.0)] };
    let one = HistogramPlot { bins: vec![Bin { from: 0, to: 0, games: 1 }], mean: Some(0.0), beyond: 0 };
    for canvas in [NARROW, WIDE] {
        let mut plots: Vec<Html> = odd.iter().filter_map(|plot| plot.draw(&canvas)).collect();
        plots.extend(CoursePlot { tracks: vec![flat.clone()], drawn_from: None }.draw(&canvas));
        plots.extend(one.draw(&canvas));
        assert_eq!(plots.len(), 5);
        for plot in plots.into_iter().map(Html::into_string) {
            well_formed(&plot);
            // Descriptions may have such words, and coordinates may not.
            let drawn: String = plot.lines().filter(|line| !line.starts_with("<desc")).collect();
            assert!(!drawn.contains("\"NaN") && !drawn.contains("inf "), "{plot}");
        }
    }
}

#[test]
fn only_the_first_of_many_bots_have_names() {
    let names: Vec<String> = (1..=20).map(|number| format!("bot-{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let plot = course(&names).draw(&WIDE).unwrap().into_string();
    assert!(plot.contains(">bot-8</text>") && !plot.contains(">bot-9</text>"));
    assert!(plot.contains("12 more without labels"));
    assert_eq!(plot.matches(r#"class="other""#).count(), 12);
    let many: Vec<&str> = std::iter::repeat_n("x", 100).collect();
    let plot = intervals(&many).draw(&WIDE).unwrap().into_string();
    assert_eq!(plot.matches(r#"class="name""#).count(), 60);
    assert!(plot.contains("; 40 more are not shown."));
}

/// Colour vision: colour blindness, and the distance between two colours.
mod eyes {
    pub(super) type Colour = [f64; 3];

    /// Converts `#1f5fbf` to linear light.
    pub(super) fn colour(hex: &str) -> Colour {
        [1, 3, 5].map(|at| {
            let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// Normal vision and the three kinds of dichromacy: G. Machado, M. Oliveira and L. Fernandes, "A
    /// Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.
    pub(super) const EYES: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    fn times(matrix: &[[f64; 3]; 3], [r, g, b]: Colour) -> Colour {
        matrix.map(|row| row[0] * r + row[1] * g + row[2] * b)
    }

    /// Converts linear light to Oklab: B. Ottosson, "A perceptual color space for image processing" (2020).
    fn oklab(linear: Colour) -> Colour {
        let cones = times(
            &[
                [0.4122214708, 0.5363325363, 0.0514459929],
                [0.2119034982, 0.6806995451, 0.1073969566],
                [0.0883024619, 0.2817188376, 0.6299787005],
            ],
            linear.map(|part| part.clamp(0.0, 1.0)),
        );
        times(
            &[
                [0.2104542553, 0.7936177850, -0.0040720468],
                [1.9779984951, -2.4285922050, 0.4505937099],
                [0.0259040371, 0.7827717662, -0.8086757660],
            ],
            cones.map(f64::cbrt),
        )
    }

    /// Returns the distance between two colours for the eyes to which they are most similar.
    pub(super) fn distance(one: &str, other: &str) -> f64 {
        let seen = |eyes: &[[f64; 3]; 3], hex: &str| oklab(times(eyes, colour(hex)));
        let apart = EYES.iter().map(|eyes| {
            let (one, other) = (seen(eyes, one), seen(eyes, other));
            one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        });
        apart.fold(f64::INFINITY, f64::min)
    }

    /// Returns the contrast of two colours, as WCAG 2 defines it.
    pub(super) fn contrast(one: &str, other: &str) -> f64 {
        let light = |hex: &str| {
            let [r, g, b] = colour(hex);
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        };
        let (one, other) = (light(one), light(other));
        one.max(other) / one.min(other)
    }
}

/// Returns the colour that a rule of the style sets in the light and in the dark theme.
fn colours(rule: &str, property: &str) -> [String; 2] {
    let (light, dark) = STYLE.split_once("@media").unwrap();
    [light, dark].map(|part| {
        let line = part.lines().find(|line| line.trim_start().starts_with(rule)).expect(rule);
        let (_, value) = line.split_once(&format!("{property}: ")).expect(property);
        value[..7].to_owned()
    })
}

#[test]
fn the_colour_blind_can_distinguish_the_lines() {
    let series: Vec<[String; 2]> =
        (0..6).map(|index| colours(&format!(".plot .series-{index} "), "stroke")).collect();
    let grounds = colours(".plot .ground", "fill");
    for scheme in 0..2 {
        for (index, one) in series.iter().enumerate() {
            let ground = &grounds[scheme];
            assert!(eyes::contrast(&one[scheme], ground) >= 3.0, "{} on {ground}", one[scheme]);
            for other in &series[index + 1..] {
                let distance = eyes::distance(&one[scheme], &other[scheme]);
                assert!(distance >= 0.1, "{} and {}: {distance:.3}", one[scheme], other[scheme]);
            }
        }
    }
}

#[test]
fn texts_have_enough_contrast() {
    for (rule, min_contrast) in
        [(".plot text", 4.5), (".plot .tick", 4.5), (".plot .bar", 3.0), (".plot .whisker", 3.0)]
    {
        let property = if rule.ends_with("whisker") { "stroke" } else { "fill" };
        let grounds = colours(".plot .ground", "fill");
        for (colour, ground) in colours(rule, property).iter().zip(&grounds) {
            assert!(eyes::contrast(colour, ground) >= min_contrast, "{rule}: {colour} on {ground}");
        }
    }
}
