use super::*;

fn example() -> Table {
    Table::of(
        [
            Column::text("bot").of(|row: &[Cell; 3]| row[0].clone()),
            Column::number("elo").titled("Elo").of(|row: &[Cell; 3]| row[1].clone()),
            Column::text("note").of(|row: &[Cell; 3]| row[2].clone()),
        ],
        [
            [Cell::text("greedy"), Cell::decimal(1512.345, 1), Cell::text("")],
            [Cell::text("=1+1"), Cell::decimal(-3.0, 1), Cell::text("say \"hi\", twice")],
            [Cell::text("\x1b[2J\u{202e}x"), Cell::decimal(f64::INFINITY, 1), Cell::Empty],
        ],
    )
}

#[test]
fn a_column_without_information_is_left_out() {
    let number = |key| Column::number(key).of(|row: &u64| Cell::count(*row));
    let keys = |rows: &[u64]| {
        let columns = [
            number("always"),
            number("filled").shown(Shown::IfFilled),
            number("never").shown(Shown::Never),
            number("filled").only_if(false),
        ];
        Table::of(columns, rows).columns.into_iter().map(|column| column.key).collect::<Vec<_>>()
    };
    assert_eq!(keys(&[0, 1]), ["always", "filled"]);
    assert_eq!((keys(&[0]), keys(&[])), (vec!["always".to_owned()], vec!["always".to_owned()]));
}

#[test]
fn indistinguishable_columns_are_refused() {
    let refused = |columns: [Column; 2]| {
        let table = || Table::of(columns.map(|column| column.of(|row: &u64| Cell::count(*row))), [1]);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(table)).is_err()
    };
    let [time, other] = ["time_ms", "mean_ms"].map(|key| Column::number(key).titled("ms/move"));
    assert!(refused([time.clone(), other.clone()]) && refused([time.clone(), time.clone()]));
    assert!(refused([time.clone(), time.clone().titled("ms")]));
    assert!(!refused([time.clone(), other.titled_alike("ms/move")]));
    assert!(!refused([time.clone(), time.named_by_others()]));
}

#[test]
fn a_table_for_people_is_plain_text() {
    insta::assert_snapshot!(example().to_text(None), @r#"
    bot                    Elo  note
    greedy              1512.3
    =1+1                  -3.0  say "hi", twice
    \u{1b}[2J\u{202e}x       -  -
    "#);
}

#[test]
fn a_table_fits_the_width_given() {
    for width in [30, 40, 60] {
        let text = example().to_text(Some(width));
        assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
    }
}

#[test]
fn csv_is_quoted_and_nothing_in_it_is_a_formula() {
    let mut bytes = Vec::new();
    example().write_csv(&mut bytes).unwrap();
    insta::assert_snapshot!(String::from_utf8(bytes).unwrap(), @r#"
    bot,elo,note
    greedy,1512.3,
    '=1+1,-3.0,"say ""hi"", twice"
    \u{1b}[2J\u{202e}x,,
    "#);
    for text in ["=A1", "+1", "-1", "@x", "\tx", "\r=x", " =x", "\u{ff1d}A1"] {
        assert!(Cell::Text(text.to_owned()).inert().starts_with('\''), "{text:?}");
    }
    assert_eq!(Cell::Integer(-1).inert(), "-1");
}

#[test]
fn json_is_an_array_of_objects_in_the_order_of_the_columns() {
    assert_eq!(
        serde_json::to_string(&example()).unwrap(),
        r#"[{"bot":"greedy","elo":1512.3,"note":null},{"bot":"=1+1","elo":-3.0,"note":"say \"hi\", twice"},"#
            .to_owned()
            + r#"{"bot":"\\u{1b}[2J\\u{202e}x","elo":null,"note":null}]"#
    );
}

#[test]
fn estimates_are_short_for_people_and_have_six_digits_in_data() {
    let estimate = Cell::estimate(2.0 / 3.0, 1);
    assert_eq!((estimate.plain(), estimate.inert()), ("0.7".to_owned(), "0.666667".to_owned()));
    assert_eq!(serde_json::to_string(&estimate).unwrap(), "0.666667");
    assert_eq!(serde_json::to_string(&Cell::estimate(1500.0, 0)).unwrap(), "1500.0");
    assert_eq!(Cell::estimate(f64::NAN, 1), Cell::Empty);
}

#[test]
fn nothing_is_minus_zero() {
    assert_eq!(Cell::decimal(-0.04, 1).plain(), "0.0");
    assert_eq!(Cell::decimal(-0.05, 1).plain(), "-0.1");
}
