use super::{svg, terminal};
use linesman_games::notation::Square;
use linesman_games::scene::{Board, Direction, Edge, Mark, MarkKind, Piece, Pointer, Scene, Shape, Tint};
use linesman_types::seat::Side;

fn quixo(options: &[(&str, &str)], token: &str, moves: &[&str]) -> Scene {
    let setup =
        linesman_games::find("quixo").expect("quixo is registered").configure(options).expect("options");
    let mut table = setup.from_token(token).expect("a token");
    for text in moves {
        table.play(text).expect("a legal move");
    }
    table.scene()
}

fn plain(scene: &Scene) -> String {
    terminal::plain(scene, terminal::USUAL_WIDTH)
}

#[test]
fn a_position_without_a_last_move() {
    insta::assert_snapshot!(plain(&quixo(&[], "o.x../...../...../...../.....:1:2", &[])), @r"
    5  o  .  x  .  .
    4  .  .  .  .  .
    3  .  .  .  .  .
    2  .  .  .  .  .
    1  .  .  .  .  .
       a  b  c  d  e
    ");
}

#[test]
fn the_last_move_and_a_finished_line_are_bracketed() {
    let scene = quixo(&[("size", "4")], "oo.o/..../..../xxx.:1:6", &["d1a1"]);
    insta::assert_snapshot!(plain(&scene), @r"
    4  o  o  .  o
    3  .  .  .  .
    2  .  .  .  .
    1 [x}{x}{x}(x}
       a  b  c  d
    ( taken   [ put   } line
    ");
    let scene = quixo(&[("size", "4")], "oo.o/..../..../xxx.:1:6", &["d2d1"]);
    insta::assert_snapshot!(plain(&scene), @r"
    4  o  o  .  o
    3  .  .  .  .
    2  .  .  . (.)
    1 {x}{x}{x}[x}
       a  b  c  d
    ( taken   [ put   } line
    ");
}

fn everything() -> Scene {
    let (x, o) = (Side::from_index(0), Side::from_index(1));
    let mut left = Board::new(3, 3);
    left.title = Some("board 1".to_owned());
    for (cell, letter) in left.cells.iter_mut().zip("rgbbrggbr".chars()) {
        cell.fill = Some(Tint(letter));
    }
    left.cell_mut(Square::new(0, 0)).piece = Some(Piece::plain('1', x));
    let mut right = Board::new(2, 2);
    right.title = Some("board <2>".to_owned());
    right.cell_mut(Square::new(0, 1)).piece = Some(Piece {
        tint: Some(Tint('r')),
        pointer: Some(Pointer::Joint(Direction::East)),
        level: Some(12),
        ..Piece::plain('x', x)
    });
    right.cell_mut(Square::new(1, 1)).piece =
        Some(Piece { pointer: Some(Pointer::Dot(Direction::West)), level: Some(1), ..Piece::plain('o', o) });
    let mark = |kind, board, squares: &[(usize, usize)]| Mark {
        kind,
        board,
        squares: squares.iter().map(|(file, rank)| Square::new(*file, *rank)).collect(),
    };
    Scene {
        boards: vec![left, right],
        marks: vec![
            mark(MarkKind::To, 0, &[(0, 0)]),
            mark(MarkKind::From, 0, &[(2, 2)]),
            mark(MarkKind::Line(x), 1, &[(0, 1), (1, 1)]),
        ],
        captions: vec!["stock: 14 & 12".to_owned()],
    }
}

#[test]
fn every_feature_of_a_scene_is_drawn() {
    insta::assert_snapshot!(plain(&everything()), @r"
       board 1                       board <2>
    3  .    g  .    b (.    r)    2 {xr>12 }{o <1  }
    2  .    b  .    r  .    g     1  .       .
    1 [1    r] .    g  .    b        a       b
       a       b       c
    stock: 14 & 12
    ( taken   [ put   } line
    ");
}

#[test]
fn boards_that_do_not_fit_are_placed_below_each_other() {
    insta::assert_snapshot!(terminal::plain(&everything(), 30), @r"
       board 1
    3  .    g  .    b (.    r)
    2  .    b  .    r  .    g
    1 [1    r] .    g  .    b
       a       b       c
       board <2>
    2 {xr>12 }{o <1  }
    1  .       .
       a       b
    stock: 14 & 12
    ( taken   [ put   } line
    ");
}

fn largest(level: u32) -> Scene {
    let mut board = Board::new(16, 16);
    for (index, cell) in board.cells.iter_mut().enumerate() {
        cell.piece = Some(Piece {
            pointer: Some(Pointer::Joint(Direction::North)),
            level: Some(level + index as u32 % 3 * 13),
            ..Piece::plain('x', Side::from_index(0))
        });
    }
    let squares = vec![Square::new(3, 3), Square::new(4, 3)];
    let marks = vec![Mark { kind: MarkKind::To, board: 0, squares }];
    Scene { boards: vec![board], marks, captions: vec!["60 tiles".to_owned()] }
}

#[test]
fn the_largest_boards_fit_a_usual_terminal_at_any_level() {
    for level in [1, 9, 99, 256] {
        let lines = terminal::lines(&largest(level), 80);
        assert!(lines.len() < 24, "{} lines", lines.len());
        let widest = lines.iter().map(|line| line.text().chars().count()).max();
        assert!(widest <= Some(80), "{widest:?} columns");
    }
}

#[test]
fn high_levels_are_one_character_if_numbers_do_not_fit() {
    let picture = terminal::plain(&largest(10), 80);
    let lines: Vec<&str> = picture.lines().collect();
    assert_eq!(&lines[12][..27], " 4  x^A x^N x^+[x^A[x^N]x^+");
    assert_eq!(lines[19], "levels above 9: A = 10, B = 11 ... Z = 35, + = more");
    let picture = terminal::plain(&largest(10), 90);
    assert!(
        picture.contains(" 4  x^10 x^23 x^36[x^10[x^23]x^36") && !picture.contains("levels"),
        "{picture}"
    );
}

fn trexo(moves: &str) -> Scene {
    let setup = linesman_games::find("trexo").expect("trexo is registered").configure(&[("size", "6")]);
    let mut table = setup.expect("options").start();
    moves.split_whitespace().for_each(|text| table.play(text).expect("a legal move"));
    table.scene()
}

#[test]
fn tiles_are_drawn_with_joints_and_levels() {
    insta::assert_snapshot!(plain(&trexo("a1b1 c1d1 a2b2 c2d2 b1c1 f6f5 c2b2")), @r"
    6  .    .    .    .    .    xv1
    5  .    .    .    .    .    o^1
    4  .    .    .    .    .    .
    3  .    .    .    .    .    .
    2  x 1 [o>2][x<2] o 1  .    .
    1  x 1  x>2  o<2  o 1  .    .
       a    b    c    d    e    f
    53 of 60 tiles left
    [ put
    ");
}

#[test]
fn joints_turn_with_the_board() {
    let lines = terminal::lines_facing(
        &trexo("a1b1 f6f5"),
        80,
        super::Facing::FirstRankAbove,
        &super::Highlights::default(),
    );
    let text: Vec<String> = lines.iter().map(terminal::Line::text).collect();
    insta::assert_snapshot!(text.join("\n"), @r"
    1  .    .    .    .    o>1  x<1
    2  .    .    .    .    .    .
    3  .    .    .    .    .    .
    4  .    .    .    .    .    .
    5 [ov1] .    .    .    .    .
    6 [x^1] .    .    .    .    .
       f    e    d    c    b    a
    58 of 60 tiles left
    [ put
    ");
}

#[test]
fn colours_do_not_change_the_text() {
    for scene in [everything(), quixo(&[], "o.x../...../...../...../.....:1:2", &["a1a5"])] {
        let coloured = terminal::coloured(&scene, 80);
        assert!(coloured.contains('\u{1b}'));
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain(&scene));
    }
}

#[test]
fn the_svg_of_a_small_position() {
    let scene = quixo(&[("size", "3")], ".o./.../xx.:1:4", &["c2c1"]);
    insta::assert_snapshot!(svg::draw(&scene, "after c2c1"), @r##"
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 162 162" role="img" font-family="sans-serif">
    <title>after c2c1</title>
    <rect class="ground" width="162" height="162" fill="#ffffff"/>
    <rect class="square" x="30" y="92" width="40" height="40" fill="#f3ead7" stroke="#6b5b45"/>
    <rect class="piece side-1" x="34" y="96" width="32" height="32" rx="5" fill="#fffdf8" stroke="#222222"/>
    <path class="symbol" fill="none" stroke="#0b5cad" stroke-width="4" d="M42 104L58 120M42 120L58 104"/>
    <rect class="square" x="70" y="92" width="40" height="40" fill="#f3ead7" stroke="#6b5b45"/>
    <rect class="piece side-1" x="74" y="96" width="32" height="32" rx="5" fill="#fffdf8" stroke="#222222"/>
    <path class="symbol" fill="none" stroke="#0b5cad" stroke-width="4" d="M82 104L98 120M82 120L98 104"/>
    <rect class="square" x="110" y="92" width="40" height="40" fill="#f3ead7" stroke="#6b5b45"/>
    <rect class="piece side-1" x="114" y="96" width="32" height="32" rx="5" fill="#fffdf8" stroke="#222222"/>
    <path class="symbol" fill="none" stroke="#0b5cad" stroke-width="4" d="M122 104L138 120M122 120L138 104"/>
    <rect class="square" x="30" y="52" width="40" height="40" fill="#f3ead7" stroke="#6b5b45"/>
    <rect class="square" x="70" y="52" width="40" height="40" fill="#f3ead7" stroke="#6b5b45"/>
    <rect class="square" x="110" y="52" width="40" height="40" fill="#f3ead7" stroke="#6b5b45"/>
    <rect class="square" x="30" y="12" width="40" height="40" fill="#f3ead7" stroke="#6b5b45"/>
    <rect class="square" x="70" y="12" width="40" height="40" fill="#f3ead7" stroke="#6b5b45"/>
    <rect class="piece side-2" x="74" y="16" width="32" height="32" rx="5" fill="#fffdf8" stroke="#222222"/>
    <circle class="symbol" fill="none" stroke="#a33b00" stroke-width="4" cx="90" cy="32" r="8"/>
    <rect class="square" x="110" y="12" width="40" height="40" fill="#f3ead7" stroke="#6b5b45"/>
    <rect class="mark-to" x="111.5" y="93.5" width="37" height="37" fill="none" stroke="#b35900" stroke-width="3"/>
    <rect class="mark-from" x="111.5" y="53.5" width="37" height="37" fill="none" stroke="#b35900" stroke-width="3" stroke-dasharray="5 4"/>
    <polyline class="mark-line side-1" points="50,112 90,112 130,112" fill="none" stroke="#c2185b" stroke-width="6" stroke-opacity="0.6" stroke-linecap="round"/>
    <text class="label" x="24" y="116" font-size="12" text-anchor="end" fill="#222222">1</text>
    <text class="label" x="24" y="76" font-size="12" text-anchor="end" fill="#222222">2</text>
    <text class="label" x="24" y="36" font-size="12" text-anchor="end" fill="#222222">3</text>
    <text class="label" x="50" y="146" font-size="12" text-anchor="middle" fill="#222222">a</text>
    <text class="label" x="90" y="146" font-size="12" text-anchor="middle" fill="#222222">b</text>
    <text class="label" x="130" y="146" font-size="12" text-anchor="middle" fill="#222222">c</text>
    </svg>
    "##);
}

#[test]
fn hostile_text_stays_text_in_svg() {
    let mut scene = everything();
    scene.captions.push("</svg><script>alert(1)</script>".to_owned());
    let picture = svg::draw(&scene, "\"<&>");
    assert!(picture.contains("<title>&quot;&lt;&amp;&gt;</title>"), "{picture}");
    assert!(picture.contains("board &lt;2&gt;"), "{picture}");
    assert!(!picture.contains("<script"), "{picture}");
    assert_eq!(picture.matches("</svg>").count(), 1);
}

#[test]
fn captions_that_are_wider_than_the_boards_are_wrapped_in_svg() {
    let captions = vec!["seat 1 south, 2 west, 3 north, 4 east".to_owned(), "short".to_owned()];
    let scene = Scene { boards: vec![Board::new(5, 5)], captions, ..Scene::default() };
    let drawn = svg::draw(&scene, "x");
    let texts: Vec<&str> = drawn
        .lines()
        .filter_map(|line| line.strip_prefix("<text class=\"caption\"")?.split(['>', '<']).nth(1))
        .collect();
    assert_eq!(texts, ["seat 1 south, 2 west, 3", "north, 4 east", "short"]);
}

#[test]
fn colours_of_pieces_also_differ_in_stripes() {
    let stripes = |letter| {
        let mut board = Board::new(1, 1);
        board.cells[0].piece =
            Some(Piece { tint: Some(Tint(letter)), ..Piece::plain('x', Side::from_index(0)) });
        let picture = svg::draw(&Scene { boards: vec![board], ..Scene::default() }, "a card");
        picture.lines().find(|line| line.contains("stripes")).map(str::to_owned)
    };
    assert_eq!(stripes('y'), None);
    let red = stripes('r').expect("red has stripes");
    // From the lower left to the upper right, and vice versa.
    assert!(red.contains(r#"d="M34 24L42 16M"#) && red.contains(r#"M58 48L66 40""#), "{red}");
    let green = stripes('g').expect("green has stripes");
    assert!(green.contains(r#"d="M34 40L42 48M"#), "{green}");
}

/// Returns hexagons with edges of two sides, a stone of each, and a line.
fn hexagons() -> Scene {
    let (x, o) = (Side::from_index(0), Side::from_index(1));
    let stones = [(Square::new(0, 0), Piece::plain('x', x)), (Square::new(2, 1), Piece::plain('o', o))];
    let mut board = Board::with_pieces(3, 3, stones);
    board.shape = Shape::Hexagons;
    let edge = |at, side, symbol| Edge { at, side, symbol };
    board.edges = vec![
        edge(Direction::North, x, 'x'),
        edge(Direction::South, x, 'x'),
        edge(Direction::East, o, 'o'),
        edge(Direction::West, o, 'o'),
    ];
    let marks = vec![Mark::on(MarkKind::To, Square::new(0, 0)), Mark::line(o, [Square::new(2, 1)])];
    Scene { boards: vec![board], marks, captions: Vec::new() }
}

#[test]
fn ranks_of_hexagons_are_shifted_and_edges_show_their_side() {
    insta::assert_snapshot!(plain(&hexagons()), @r"
             x  x  x
    3    o  .  .  .  o
    2  o  .  . {o} o
    1 o [x] .  .  o
         x  x  x
         a  b  c
    [ put   } line
    ");
    let picture = svg::draw(&hexagons(), "hexagons");
    assert_eq!(picture.matches("<polygon class=\"square\"").count(), 9);
    assert_eq!(picture.matches("<polygon class=\"mark-to\"").count(), 1);
    for side in [1, 2] {
        assert_eq!(picture.matches(&format!("<polyline class=\"edge side-{side}\"")).count(), 2);
    }
    // The upper right corner of the board is inside the picture.
    assert!(picture.contains("viewBox=\"0 0 202 158\""), "{picture}");
}

/// Returns four by four squares in groups of two by two.
fn groups() -> Scene {
    let mut board = Board::with_pieces(4, 4, [(Square::new(1, 2), Piece::plain('x', Side::from_index(0)))]);
    for (number, cell) in board.cells.iter_mut().enumerate() {
        cell.group = number / 8 * 2 + number % 4 / 2;
    }
    Scene { boards: vec![board], ..Scene::default() }
}

#[test]
fn groups_of_squares_have_thick_borders() {
    insta::assert_snapshot!(plain(&groups()), @r"
    4  .  . | .  .
    3  .  x | .  .
      ------+------
    2  .  . | .  .
    1  .  . | .  .
       a  b   c  d
    ");
    let room = super::framed::Room { width: 40, height: 20 };
    let framed = super::framed::lines(&groups(), super::Facing::FirstRankBelow, room);
    let framed: String = framed.iter().map(|line| line.text().trim_end().to_owned() + "\n").collect();
    insta::assert_snapshot!(framed, @r"
      ┌───┬───┬───┬───┐
    4 │   │   ┃   │   │
      ├───┼───┼───┼───┤
    3 │   │ x ┃   │   │
      ├━━━┼━━━┼━━━┼━━━┤
    2 │   │   ┃   │   │
      ├───┼───┼───┼───┤
    1 │   │   ┃   │   │
      └───┴───┴───┴───┘
        a   b   c   d
    ");
    let picture = svg::draw(&groups(), "groups");
    assert_eq!(picture.matches("<polyline class=\"group\"").count(), 8);
}

#[test]
fn a_fill_shows_no_letter_that_a_piece_shows() {
    let mut board = Board::with_pieces(2, 1, [(Square::new(0, 0), Piece::plain('o', Side::from_index(0)))]);
    board.cells.iter_mut().zip(['o', 'r']).for_each(|(cell, letter)| cell.fill = Some(Tint(letter)));
    insta::assert_snapshot!(plain(&Scene { boards: vec![board], ..Scene::default() }), @r"
    1  oO  .R
       a   b
    ");
}
