//! Tests of `linesman adapt`: bots written for other frameworks play unchanged.

use std::io::Write;
use std::process::Stdio;

use linesman::games::{self, Table, table::legal_moves};

use crate::support::Run;
use crate::support::scratch::Scratch;

const PYTHON: &str = "
import os, sys
print('imported')
def choose(state, legal, history, time_ms, seat):
    assert state and isinstance(history, list) and time_ms == 1000
    print('thinking')
    return legal[len(history) % len(legal)]
def index(moves): return len(moves) - 1
async def later(board, valid_moves, options): return valid_moves[0]
def steps(legal):
    yield legal[-1]
    yield legal[0]
class Bot:
    def __init__(self, game, me): self.game = game
    def get_move(self, board, legal): return {'move': legal[0]}
one = Bot('any', 1)
def agent(o, c): return o.legal_actions[o['step'] % len(o.legal_actions)]
class Gym:
    def act(self, observation, action_mask): return action_mask.index(1)
class Model:
    def predict(self, observation, deterministic=True): return 0, None
def strange(question): return question['n']
def noisy(legal):
    os.system('echo from a child')
    os.write(1, b'from the system\\n')
    print('bestmove nonsense')
    return legal[0]
def inner(legal): return legal[1000]
def fails(legal): return inner(legal)
def leaves(legal): sys.exit(0)
def unknown(legal, banana): return legal[0]
def spaced(legal): return 'c1 c5\\nquit'
def far(legal): return 99
def words(legal): return str(open('/proc/self/cmdline').read().count('def '))
def nothing(legal): return None
def pair(legal): return ('c3', 'c5')
count = 0
def stubborn(legal):
    global count
    count += 1
    return 'c3c5' if count % 2 else legal[0]
";

const SHAPE: &str = "
def show(turn): return {'question': {'n': len(turn.legal)}}
def answer(said, turn): return turn.legal[said - 1]
";

const JAVASCRIPT: &str = "
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
console.log('imported');
export function choose(state, legalMoves, timeMs) { return legalMoves[timeMs === 1000 ? 0 : 99]; }
export const later = async ({ legal, board }) => legal.length - (board ? 1 : 0);
export function* steps(legal) { yield legal[1]; yield legal[0]; }
export class Bot { constructor(game) { this.game = game; } getMove(moves) { return { move: moves[0] }; } }
export const agent = (o, c) => o.legal_actions[0];
export const strange = (a, b) => a + b;
export function noisy(legal) {
  spawnSync('echo', ['from a child'], { stdio: 'inherit' });
  process.stdout.write('bestmove nonsense\\n');
  return legal[0];
}
export function fails(legal) { return legal[1000].length; }
export const unknown = (banana) => 0;
export const spaced = () => 'c1 c5\\nquit';
export const nothing = () => undefined;
export const words = (legal) => String(readFileSync('/proc/self/cmdline', 'utf8').split('const ').length - 1);
";

const SHAPE_JAVASCRIPT: &str = "
export const show = (turn) => [turn.legal.length, -1];
export const answer = (said, turn) => turn.legal[said];
";

const PLAYER: &str = "
import copy
from game import Game, Move, Player
class Mine(Player):
    def __init__(self):
        super().__init__()
    def make_move(self, game):
        me, board = game.get_current_player(), game.get_board()
        assert board.shape == (5, 5) and board[0][0] in (-1, 0, 1) and board[0, 0] == board[0][0]
        before, found = [list(row) for row in board], None
        for x in range(5):
            for y in range(5):
                for move in Move:
                    after = copy.deepcopy(game)
                    if after._Game__move((x, y), move, me):
                        winner = after.check_winner()
                        if found is None or winner == me:
                            found = (x, y), move
        assert [list(row) for row in game._board] == before and me == game.current_player_idx
        game.print()
        return found
class Center(Player):
    def make_move(self, game): return (2, 2), Move.TOP
class Words(Player):
    def make_move(self, game): return (0, 1), 'right'
class Both(Player):
    def make_move(self, game):
        for mover in (0, 1):
            after = copy.deepcopy(game)
            for row, cells in enumerate([[0] * 4 + [-1], [1] * 4 + [0], [-1] * 4 + [1]]):
                for column, cell in enumerate(cells):
                    after._board[row][column] = cell
            assert after._Game__move((4, 0), Move.BOTTOM, mover) and after.check_winner() == 1 - mover
        return (0, 0), Move.BOTTOM
class Beyond(Player):
    def make_move(self, game): return (-1, 0), Move.TOP
";

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("bot.py", PYTHON);
    scratch.write("shape.py", SHAPE);
    scratch.write("bot.mjs", JAVASCRIPT);
    scratch.write("shape.mjs", SHAPE_JAVASCRIPT);
    scratch.write("old.js", "module.exports = { choose: (legal) => legal[0] };");
    scratch.write("player.py", PLAYER);
    scratch
}

/// Runs an adapted bot with the given input.
#[track_caller]
fn talk(scratch: &Scratch, arguments: &str, input: &str) -> Run {
    let mut child = scratch
        .command(["adapt"].into_iter().chain(arguments.split(' ')))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built with the tests");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // A failed bot does not read its input.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the bot ends with its input");
    writer.join().expect("the writer does not panic");
    let text = |bytes| String::from_utf8(bytes).expect("bots write text");
    Run { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Returns successive positions of one game with seat 1 on move.
fn tables(id: &str) -> Vec<Box<dyn Table>> {
    let setup = games::find(id).expect("the game exists").configure(&[]).expect("defaults are right");
    let mut tables = vec![setup.start()];
    for number in 0..80_usize {
        let mut table = tables[number].fork();
        let moves = legal_moves(&*table);
        table.play(&moves[(number * 7 + 3) % moves.len()]).expect("listed moves are legal");
        if table.is_over() {
            break;
        }
        tables.push(table);
    }
    tables.retain(|table| table.to_move().number() == 1);
    tables
}

/// Returns the referee's lines in a game with these positions.
fn game(id: &str, tables: &[Box<dyn Table>]) -> String {
    let mut text = format!("uginewgame\ngame {id} seat 1 seats 2 id a~b~1 options x=1,y=z\nisready\n");
    for table in tables {
        let (token, legal) = (table.token(), legal_moves(&**table).join(" "));
        let turn = format!("position fen {token}\nstate {token}\nlegal {legal}\ngo movetime 1000\n");
        text.push_str(&turn);
    }
    text
}

/// Returns the input of a game with one `go`.
fn one_turn() -> String {
    format!("ugi\n{}", game("quixo", &tables("quixo")[..1]))
}

/// Returns the moves in a bot's output.
fn moves(run: &Run) -> Vec<&str> {
    run.stdout.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect()
}

/// Asserts that one process of the bot plays legal moves in whole games.
#[track_caller]
fn plays(scratch: &Scratch, arguments: &str, ids: &[&str]) {
    let games: Vec<(&str, Vec<Box<dyn Table>>)> = ids.iter().map(|id| (*id, tables(id))).collect();
    let said: String = games.iter().map(|(id, tables)| game(id, tables)).collect();
    let run =
        talk(scratch, arguments, &format!("xyzzy\n\nugi\r\n{said}gameover reason host\nquit\nisready\n"));
    assert_eq!(run.status, Some(0), "{arguments}: {run:#?}");
    let moves = moves(&run);
    let positions: Vec<_> = games.iter().flat_map(|(_, tables)| tables).collect();
    assert_eq!(moves.len(), positions.len(), "{arguments}");
    for (mv, table) in moves.iter().zip(positions) {
        table.fork().play(mv).unwrap_or_else(|error| panic!("{arguments}: {mv}: {error}"));
    }
}

#[test]
fn bots_of_each_shape_play_each_game() {
    let scratch = scratch();
    let all: Vec<&str> = games::GAMES.iter().map(|game| game.id).collect();
    for arguments in [
        "bot.py:choose",
        "bot.py:index --shape function",
        "bot:later",
        "bot.py:steps",
        "bot.py:Bot --shape class",
        "bot.py:one",
        "bot.py:agent",
        "bot.py:Gym --shape gym",
        "bot.py:Model",
        "bot.py:strange --shape shape.py",
        "bot.mjs:choose",
        "bot.mjs:later",
        "bot.mjs:steps",
        "bot.mjs:Bot --shape class",
        "bot.mjs:agent --shape agent",
        "bot.mjs:strange --shape shape.mjs",
        "old.js",
    ] {
        plays(&scratch, arguments, &all);
    }
}

#[test]
fn the_only_bot_of_a_file_needs_no_name() {
    let scratch = scratch();
    let brain = "class Brain:\n    def next_move(self, board, legal): return legal[-1]\n";
    scratch.write("object.py", brain.replace("Brain", "_Brain") + "LIMIT = 3\nAI = _Brain()\n");
    scratch.write("class.py", brain);
    let helped =
        "def count(cells, symbol): return 0\ndef best_move(state, legal_moves): return legal_moves[0]\n";
    scratch.write("helped.py", helped);
    scratch.write(
        "object.mjs",
        "export const help = (x) => x;\nexport const AI = { bestMove: (legal) => legal.at(-1) };\n",
    );
    // Exceptions and enums are not bots.
    scratch.write(
        "beside.py",
        "import enum\nclass Late(Exception): pass\nclass Way(enum.Enum):\n  N = 1\ndef best(legal): return legal[0]\n",
    );
    scratch.write(
        "beside.js",
        "class Late extends Error {}\nfunction best(legal) { return legal[0]; }\nmodule.exports = { Late, best };\n",
    );
    for file in ["object.py", "class.py", "helped.py", "object.mjs", "beside.py", "beside.js"] {
        plays(&scratch, file, &["quixo"]);
    }
    scratch.write("node.py", "class Node:\n  def grow(self): pass\ndef best(legal): return legal[0]\n");
    talk(&scratch, "node.py", "").said(2, "several bots: Node, best");
    let run = talk(&scratch, "node.py:Node", SECOND);
    run.said(2, "the class `Node` has no method such as `choose` or `get_move`; it has `grow`");
    assert!(run.stderr.contains("a shape") && run.stderr.contains("`FILE:NAME`: best"), "{}", run.stderr);
}

#[test]
fn an_exported_object_is_one_bot_and_its_methods_keep_it() {
    let scratch = scratch();
    let bot = "const bot = { start() { this.rank = 2; }, turn(legal) { return legal[this.rank ?? 1]; } };\n";
    scratch.write("bot.js", format!("{bot}module.exports = bot;\n"));
    scratch.write("default.mjs", format!("{bot}export default bot;\n"));
    scratch.write(
        "calls.mjs",
        "export const ask = (bot, turn) => { bot.start(); return bot.turn(turn.legal); };\n",
    );
    for file in ["bot.js", "default.mjs"] {
        let run = talk(&scratch, &format!("{file} --shape calls.mjs"), SECOND);
        assert_eq!(moves(&run), ["e1a1"], "{file}: {run:#?}");
        let run = talk(&scratch, &format!("{file}:turn"), SECOND);
        assert_eq!(moves(&run), ["b5a5"], "{file}: {run:#?}");
        talk(&scratch, file, SECOND).said(2, "it has `start`, `turn`");
    }
    let run = talk(&scratch, "default.mjs:default --shape calls.mjs", SECOND);
    assert_eq!(moves(&run), ["e1a1"], "{run:#?}");
}

#[test]
fn a_named_function_keeps_its_prototype_and_its_static_members() {
    let scratch = scratch();
    scratch.write(
        "old-class.js",
        "function Bot() {}\nBot.prototype.choose = (legal) => legal[1];\nBot.create = () => new Bot();\n\
         module.exports = { Bot };\n",
    );
    for made in ["Bot.create(turn.game)", "Object.create(Bot.prototype)", "new Bot()"] {
        scratch.write("makes.mjs", format!("export const make = (Bot, turn) => {made};\n"));
        let run = talk(&scratch, "old-class.js:Bot --shape makes.mjs", SECOND);
        assert_eq!(moves(&run), ["b5a5"], "{made}: {run:#?}");
    }
}

#[test]
fn a_player_of_the_course_simulates_on_copies_of_the_game() {
    let scratch = scratch();
    plays(&scratch, "player.py:Mine", &["quixo"]);
    scratch.write("numpy.py", "raise ImportError('there is none', name='numpy')");
    plays(&scratch, "player.py:Mine --shape player", &["quixo"]);
    scratch.write("array.py", "import numpy\ndef choose(legal): return 0\n");
    talk(&scratch, "array.py", "ugi\n").said(1, "hint: install numpy");
}

#[test]
fn a_player_with_its_own_game_class_receives_that() {
    let scratch = scratch();
    let own = "
class Move: TOP, BOTTOM, LEFT, RIGHT = range(4)
class Player: pass
class Game:
    is_own = True
    def __init__(self): self._board, self.current_player_idx = [[-1] * 5 for _ in range(5)], 1
    def get_board(self): return self._board
";
    scratch.write("own/game.py", own);
    let player = "
from game import Game, Move, Player
class Mine(Player):
    def make_move(self, game):
        assert game.is_own and game.current_player_idx == 1
        assert game.get_board()[0] == [0, -1, -1, -1, 1]
        return (2, 4), Move.TOP
";
    scratch.write("own/player.py", player);
    let state = "x...o/...../...../...../.....:2:3";
    let input = format!(
        "ugi\ngame quixo seat 2 seats 2 id a\nisready\nstate {state}\nlegal a4a5\ngo movetime 1000\nquit\n"
    );
    let run = talk(&scratch, "own/player.py:Mine", &input);
    assert_eq!(moves(&run), ["c1c5"], "{run:#?}");
}

#[test]
fn what_bots_print_never_reaches_the_referee() {
    let scratch = scratch();
    let ours = |line: &str| {
        ["id name ", "feature state legal", "ugiok", "readyok", "bestmove "]
            .iter()
            .any(|start| line.starts_with(start))
    };
    for (bot, count) in [("bot.py:noisy", 4), ("bot.mjs:noisy", 3)] {
        let run = talk(&scratch, bot, &one_turn());
        assert!(run.stdout.lines().all(ours) && moves(&run) == ["a1a5"], "{run:#?}");
        let noise = ["imported", "from a child", "bestmove nonsense", "from the system"];
        assert_eq!(noise.iter().filter(|text| run.stderr.contains(**text)).count(), count, "{run:#?}");
    }
}

#[test]
fn failures_of_the_bot_differ_from_wrong_usage() {
    let scratch = scratch();
    let run = talk(&scratch, "bot.py:fails", &one_turn());
    run.said(1, "bot.py failed: Traceback (most recent call last):\n");
    assert!(run.stderr.contains("in inner") && !run.stderr.contains("guarded"), "{}", run.stderr);
    talk(&scratch, "bot.py:leaves", &one_turn()).said(1, "SystemExit: 0");
    let run = talk(&scratch, "bot.mjs:fails", &one_turn());
    run.said(1, "bot.mjs failed: TypeError: ");
    assert!(!run.stderr.contains("[eval"), "{}", run.stderr);
    talk(&scratch, "bot.py:unknown", "").said(2, "`unknown` asks for `banana`");
    talk(&scratch, "bot.mjs:unknown", &one_turn()).said(2, "`unknown` asks for `banana`");
    talk(&scratch, "bot.py:missing", "").said(2, "`bot` has no `missing`");
    talk(&scratch, "bot.py", "").said(2, "hint: name the bot, as in `FILE:NAME`");
    talk(&scratch, "bot.py:choose --shape chess", "").said(2, "there is no shape `chess`");
    talk(&scratch, "nothing.py", "").said(2, "there is no file `nothing.py`");
    for option in [&["--check"][..], &["--out", "copy"]] {
        let run = scratch.run(["adapt", "nothing.py:choose"].iter().chain(option));
        run.refused(2, "error: there is no file `nothing.py`\n");
    }
    talk(&scratch, "bot.exe", "").said(2, "hint: name a file that ends with `.py`");
    let trexo = "ugi\ngame trexo seat 1 seats 2 id a\nisready\n";
    talk(&scratch, "player.py:Mine", trexo).said(2, "the bot plays quixo and not trexo");
}

#[test]
fn odd_moves_are_passed_on_as_they_are() {
    let scratch = scratch();
    for (bot, mv) in [
        ("bot.py:spaced", r"c1\x20c5\nquit"),
        ("bot.py:far", "99"),
        ("bot.py:nothing", "None"),
        ("bot.py:pair", "c3c5"),
        ("player.py:Center", "c3c5"),
        ("player.py:Words", "a4e4"),
        ("player.py:Both", "a5a1"),
        ("player.py:Beyond", r"((-1,\x200),\x20<Move.TOP:\x200>)"),
        ("bot.mjs:spaced", r"c1\x20c5\x0aquit"),
        ("bot.mjs:nothing", "undefined"),
        // Process lists do not show the adapter's source.
        ("bot.py:words", "0"),
        ("bot.mjs:words", "0"),
        ("bot.py:stubborn", "c3c5"),
        ("bot.py:stubborn --again", "a1a5"),
    ] {
        assert_eq!(moves(&talk(&scratch, bot, &one_turn())), [mv], "{bot}");
    }
}

#[test]
fn adapted_bots_play_in_the_sandbox() {
    let scratch = scratch();
    let run = scratch.run(["adapt", "player.py:Mine", "--check"]);
    assert!(run.done().starts_with("quixo: player played to the end and "), "{run:#?}");
    let run = scratch.run(["adapt", "bot.py:far", "--check", "--game", "kengu"]);
    assert_eq!(
        run.stdout,
        "kengu: bot failed; see the reason above\n\
         kengu: `far` is not shown the position: its parameters ask for other things only\n",
        "{run:#?}"
    );
    run.said(1, "`99` is not a move");
    // The question which games it plays is also asked in the sandbox.
    scratch.write("nosy.py", "open('trace', 'w')\ndef choose(legal): return 0\n");
    let run = scratch.run(["adapt", "nosy.py", "--check"]);
    assert_eq!(run.stdout, "quixo: nosy failed; see the reason above\n", "{run:#?}");
    run.said(1, "nosy.py failed: Traceback");
    assert!(!scratch.path("trace").exists());
    scratch.write("shape.py", format!("{SHAPE}GAMES = ['chess']\n"));
    scratch
        .run(["adapt", "bot.py:strange", "--shape", "shape.py", "--check"])
        .said(2, "none of the games: chess");
    let two =
        ["--bot", "linesman adapt bot.py:choose", "--bot", "linesman adapt bot.mjs:Bot", "--games", "2"];
    let game = ["match", "--game", "quixo", "--options", "size=3", "--movetime", "30s", "--fail-on-fault"];
    // The Python bot asserts another time limit.
    scratch.write("bot.py", "def choose(board, legal): return legal[-1]\n");
    scratch.run(game.into_iter().chain(two)).done();
}

#[test]
fn an_exported_adapter_runs_anywhere() {
    let scratch = scratch();
    let run = scratch.run(["adapt", "bot.py:choose", "--shape", "function", "--out", "var/tools"]);
    let path = |name: &str| scratch.path(name).display().to_string();
    let (adapter, bot) = (path("var/tools/linesman_adapter.py"), path("bot.py"));
    assert_eq!(run.done(), format!("python3 {adapter} {bot}:choose --shape function\n"));
    let printed = scratch.run(["adapt", "bot.py", "--print"]);
    assert_eq!(printed.done(), scratch.read("var/tools/linesman_adapter.py"));
    // A module of a package is found from anywhere, and so is a shape.
    scratch.write("package/__init__.py", "");
    scratch.write("package/inner.py", "from . import first\ndef think(question): return first(question)\n");
    scratch.write("package/__init__.py", "def first(question): return question['n']\n");
    let run = scratch.run(["adapt", "package.inner:think", "--shape", "shape.py", "--out", "var"]);
    let words = shell_words::split(run.done()).expect("it is a command");
    let mut command = std::process::Command::new(&words[0]);
    command.args(&words[1..]).current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("python3 is there");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(one_turn().as_bytes()).expect("the bot reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the bot ends with its input");
    assert!(String::from_utf8_lossy(&output.stdout).contains("\nbestmove e5e1\n"), "{output:?}");
}

/// The referee's lines to seat 2 of a game of Quixo in which both seats have a cube.
const SECOND: &str = "game quixo seat 2 seats 2 id a\nisready\nstate xo.../...../...../...../.....:2:3\n\
                      legal b5b1 b5a5 e1a1\ngo movetime 1000\n";

#[test]
fn cells_have_the_values_that_are_asked_for() {
    let scratch = scratch();
    scratch.write(
        "cells.py",
        "def choose(board, player, symbol, seat): return repr([board[0], player, symbol, seat])\n",
    );
    scratch.write(
        "cells.mjs",
        "export const choose = (board, player, symbol, seat) => JSON.stringify([board[0], player, symbol, seat]);\n",
    );
    for (file, cells, answer) in [
        ("cells.py", "", "[['x', 'o', '.', '.', '.'], 2, 'o', 2]"),
        ("cells.py", " --cells 0/1/2", "[[1, 2, 0, 0, 0], 2, 2, 2]"),
        ("cells.py", " --cells own:0/1/-1", "[[-1, 1, 0, 0, 0], 1, 1, 2]"),
        ("cells.py", " --cells -/X/O", "[['X', 'O', '-', '-', '-'], 'O', 'O', 2]"),
        ("cells.py", " --cells flat:None/1/2", "[1, 2, 2, 2]"),
        ("cells.mjs", "", "[[\"x\",\"o\",\".\",\".\",\".\"],2,\"o\",2]"),
        ("cells.mjs", " --cells own:0/1/-1", "[[-1,1,0,0,0],1,1,2]"),
        ("cells.mjs", " --cells null/X/O", "[[\"X\",\"O\",null,null,null],\"O\",\"O\",2]"),
        ("cells.mjs", " --cells flat:/1/2", "[1,2,2,2]"),
    ] {
        let run = talk(&scratch, &format!("{file}{cells}"), SECOND);
        assert_eq!(moves(&run), [answer.replace(' ', "\\x20")], "{file}{cells}: {run:#?}");
    }
    // The values of colours, of symbols from the top, and of the seats on one of two boards.
    let other = |game: &str, state: &str| {
        format!("game {game} seat 1 seats 2 id a\nisready\nstate {state}\nlegal a b\ngo movetime 1000\n")
    };
    for file in ["cells.py", "cells.mjs"] {
        for (game, state, cells, answer) in [
            ("kengu", "xO../.X../.o../....:1:4", "0/1/2/-1/-2", "[[2,-1,0,0],1,1,1]"),
            ("kengu", "xO../.X../.o../....:1:4", "0/1/2", "[[1,2,0,0],1,1,1]"),
            ("trexo", "xe1,ow1,./.,xe12,ow12/.,.,.:1:2", "0/1/2", "[[1,2,0],1,1,1]"),
            ("quixo-teams", "nsw/..e/...:1:4", "0/1/2", "[[1,1,2],1,1,1]"),
            ("quixo-teams", "nsw/..e/...:1:4", "0/1/2/3/4", "[[1,2,3],1,1,1]"),
            ("tandem", "1.2/...|.../...:1:2:1,1:0,0:0", "0/1/2", "[[[1,0,2],[0,0,0]],1,1,1]"),
        ] {
            let run = talk(&scratch, &format!("{file} --cells {cells}"), &other(game, state));
            assert_eq!(moves(&run).join("").replace("\\x20", ""), answer, "{file} {game}: {run:#?}");
        }
        talk(&scratch, &format!("{file} --cells 0/1"), SECOND).said(2, "`--cells 0/1` names no cells");
        talk(&scratch, &format!("{file} --cells 0/1/2/3"), SECOND).said(2, "in quixo there are 3");
    }
}

#[test]
fn answers_in_squares_and_directions_are_read_by_row_and_column_from_the_top_left() {
    let scratch = scratch();
    let read = |file: &str, text: String, input: &str| -> String {
        scratch.write(file, &text);
        let run = talk(&scratch, file, input);
        moves(&run).join(" ")
    };
    let turn = |game: &str| game_of(game);
    for (game, answer, mv) in [
        ("quixo", "[4, 0, 'U']", "a1a5"),
        ("quixo", "[0, 2, 'down']", "c5c1"),
        ("quixo", "[[4, 2], [0, 2]]", "c1c5"),
        ("quixo", "[4, 2, 0, 2]", "c1c5"),
        ("quixo", "['c1', 'North']", "c1c5"),
        ("quixo", "{'row': 2, 'col': 0, 'direction': 'right'}", "a3e3"),
        ("quixo", "{'cube': 20, 'direction': 'E'}", "a1e1"),
        ("quixo", "{'from': 0, 'to': 4}", "a5e5"),
        ("quixo", "{'x': 4, 'y': 0, 'dir': 'l'}", "e5a5"),
        ("trexo", "{'cross': {'col': 0, 'row': 9}, 'nought': {'col': 0, 'row': 8}}", "a1a2"),
        ("trexo", "[[9, 0], [9, 1]]", "a1b1"),
        ("kengu", "{'flip': [[2, 1], [2, 2]], 'place': [3, 0], 'color': 'red'}", "b2c2/a1r"),
        ("kengu", "{'flip': NONE, 'place': [0, 0], 'color': 'y'}", "a4y"),
        // Anything that is not a square of this game stays unchanged.
        ("quixo", "[5, 0, 'U']", "[5,0,U]"),
        ("quixo", "[[0, 0], [0, 5]]", "[[0,0],[0,5]]"),
        ("quixo", "[true, 0, 'U']", "[True,0,U]"),
        ("kengu", "[4, 0, 'U']", "[4,0,U]"),
        ("tandem", "[[0, 0], [0, 1]]", "[[0,0],[0,1]]"),
    ] {
        let plain = |text: String| text.replace("\\x20", "").replace(['"', '\''], "").replace("true", "True");
        let python = answer.replace("NONE", "None").replace("true", "True");
        let bot = format!("def choose(board): return {python}\n");
        assert_eq!(plain(read("said.py", bot, &turn(game))), mv, "{game} {answer}");
        let javascript = answer.replace("NONE", "null");
        let bot = format!("export default (board) => ({javascript});\n");
        assert_eq!(plain(read("said.mjs", bot, &turn(game))), mv, "{game} {answer}");
    }
}

/// Returns a turn at the start of a game.
fn game_of(id: &str) -> String {
    game(id, &tables(id)[..1])
}

#[test]
fn a_bot_that_expects_a_position_object_receives_one() {
    let scratch = scratch();
    let python = "
import copy
def index(state): return state['board'][4][0] + state['legal'][0] + str(state['player']) + state.split(':')[1]
def seen(position): return str(position.get('to_move')) + position.board[0][0] + str(isinstance(position, str))
def ask(game): return copy.deepcopy(game).get_legal_moves()[0] + game.board[0][0] + game + str(game.get_current_player())
def keys(observation): return str(observation['current_player']) + str(observation.to_move) + observation.symbol
def lacks(state): return state['banana']
class Held:
    def __init__(self, color, depth=3, mark=7): self.said = color + str(depth) + str(mark)
    def choose_move(self, game): return self.said
";
    scratch.write("object.py", python);
    let javascript = "
export const index = (state) => state.board[4][0] + state.legal[0] + state.player;
export function seen(position) { const { board, turn, toMove } = position; return board[0][0] + toMove + turn; }
export const text = (state) => state.split(':')[1];
export const keys = (observation) => observation.current_player + '-' + observation.to_move;
export class Held { constructor(color, { depth = 3 } = {}, mark = 7) { this.said = color + depth + mark; } getMove(board) { return this.said; } }
";
    scratch.write("object.mjs", javascript);
    for (bot, answer) in [
        ("object.py:index", ".b5b122"),
        ("object.py:seen", "2xTrue"),
        ("object.py:ask", "b5b1xquixo2"),
        ("object.py:keys", "22o"),
        ("object.py:Held", "o32"),
        ("object.mjs:index", ".b5b12"),
        ("object.mjs:seen", "x2undefined"),
        ("object.mjs:text", "2"),
        ("object.mjs:keys", "2-2"),
        ("object.mjs:Held", "o32"),
    ] {
        let run = talk(&scratch, bot, SECOND);
        assert_eq!(moves(&run), [answer], "{bot}: {run:#?}");
    }
    talk(&scratch, "object.py:lacks", SECOND).said(1, "KeyError: banana (it has `board`");
}

#[test]
fn a_player_that_is_a_generator_is_sent_each_turn() {
    let scratch = scratch();
    let python = "
def player(seat, opening='first'):
    move, number = None, 0
    while True:
        state = yield move
        number += 1
        assert state.boards and state.board and state['moves'] == state.moves
        move = state.moves[number % len(state.moves)]
";
    scratch.write("player.py", python);
    let javascript = "
export function* player(seat) {
  let move = null;
  for (let number = 1; ; number += 1) {
    const state = yield move;
    move = state.moves[number % state.moves.length];
  }
}
";
    scratch.write("player.mjs", javascript);
    plays(&scratch, "player.py", &["quixo", "tandem"]);
    plays(&scratch, "player.mjs", &["quixo", "tandem"]);
}

#[test]
fn a_shape_makes_a_bot_whose_method_is_found() {
    let scratch = scratch();
    scratch.write("made.py", "class Bot:\n  def __init__(self, rank): self.rank = rank\n  def select_move(self, legal): return legal[self.rank]\n");
    scratch.write("made.mjs", "export default class Bot { constructor(rank) { this.rank = rank; } selectMove(legal) { return legal[this.rank]; } }\n");
    scratch.write("make.py", "def make(target, turn): return target(1)\n");
    scratch.write("both.py", "from made import Bot\nGAMES = 'quixo'\ndef make(target, turn): return Bot(2)\ndef show(turn): return turn.legal,\n");
    scratch.write("make.mjs", "export const make = (Bot, turn) => new Bot(1);\n");
    scratch.write("both.mjs", "export const GAMES = 'quixo';\nexport const make = async (Bot) => new Bot(2);\nexport const show = (turn) => [turn.legal];\n");
    scratch.write(
        "answer.py",
        "CELLS = '0/1/2'\ndef answer(said, turn): return turn.squares((4, said[0] - 1)) + turn.squares(20)\n",
    );
    scratch.write("answer.mjs", "export const CELLS = '0/1/2';\nexport const answer = (said, turn) => turn.squares([4, said[0] - 1], 20);\n");
    scratch.write("row.py", "def choose(board): return board[0]\n");
    scratch.write("row.mjs", "export default (board) => board[0];\n");
    scratch.write("places.py", "def answer(said, turn): return repr(turn.places('a1a5'))\n");
    scratch
        .write("places.mjs", "export const answer = (said, turn) => JSON.stringify(turn.places('a1a5'));\n");
    // A shape imports the bot's own module.
    scratch.write("held.py", "cells = []\ndef play(): return str(cells[:2])\n");
    scratch.write("fill.py", "import held\nCELLS = 'flat:own:0/1/-1'\ndef show(turn):\n  held.cells[:] = turn.board\n  return ()\n");
    for (arguments, mv) in [
        ("held.py --shape fill.py", "[-1,\\x201]"),
        ("made.py --shape make.py", "b5a5"),
        ("made.py --shape both.py", "e1a1"),
        ("made.mjs --shape make.mjs", "b5a5"),
        ("made.mjs --shape both.mjs", "e1a1"),
        ("row.py --shape places.py", "[(4,\\x200),\\x20(0,\\x200)]"),
        ("row.mjs --shape places.mjs", "[[4,0],[0,0]]"),
        ("row.py --shape answer.py", "a1a1"),
        ("row.mjs --shape answer.mjs", "a1a1"),
    ] {
        let run = talk(&scratch, arguments, SECOND);
        assert_eq!(moves(&run), [mv], "{arguments}: {run:#?}");
    }
    let trexo = "game trexo seat 1 seats 2 id a\nisready\n";
    talk(&scratch, "made.py --shape both.py", trexo).said(2, "the bot plays quixo and not trexo");
}

#[test]
fn failures_in_a_shape_differ_from_failures_in_the_bot() {
    let scratch = scratch();
    scratch.write(
        "made.py",
        "class Bot:\n  def __init__(self, rank): self.rank = rank\n  def speak(self): return [][self.rank]\n",
    );
    scratch.write(
        "made.mjs",
        "export default class Bot { constructor(rank) { this.rank = rank.n; } speak() { return null.x; } }\n",
    );
    scratch
        .write("make.py", "def make(target, turn):\n  return target(turn.sheat)\ndef ask(bot, turn): pass\n");
    scratch.write(
        "inner.py",
        "def make(target, turn): return target(0)\ndef ask(bot, turn):\n  return bot.speak()\n",
    );
    scratch.write(
        "outer.py",
        "def make(target, turn): return target(0)\ndef ask(bot, turn):\n  return bot.spoke()\n",
    );
    scratch.write(
        "make.mjs",
        "export const make = (Bot, turn) => new Bot(turn.sheat.n);\nexport const ask = () => 0;\n",
    );
    scratch.write(
        "inner.mjs",
        "export const make = (Bot, turn) => new Bot(turn);\nexport const ask = async (bot) => bot.speak();\n",
    );
    scratch.write(
        "outer.mjs",
        "export const make = (Bot, turn) => new Bot(turn);\nexport const ask = async (bot) => bot.spoke();\n",
    );
    scratch.write("nothing.py", "def shown(turn): pass\n");
    for (arguments, label, place) in [
        ("made.py --shape make.py", "make.py failed: ", "make.py\", line 2"),
        ("made.py --shape inner.py", "made.py failed: ", "made.py\", line 3"),
        ("made.py --shape outer.py", "outer.py failed: ", "outer.py\", line 3"),
        ("made.mjs --shape make.mjs", "make.mjs failed: ", "make.mjs:1"),
        ("made.mjs --shape inner.mjs", "made.mjs failed: ", "made.mjs:1"),
        ("made.mjs --shape outer.mjs", "outer.mjs failed: ", "outer.mjs:2"),
    ] {
        let run = talk(&scratch, arguments, SECOND);
        run.said(1, label);
        assert!(run.stderr.contains(place), "{arguments}: {}", run.stderr);
    }
    scratch.write("names.py", "def show(turn): return {'a': 1}\n");
    scratch.write("takes.py", "def choose(board): return 0\n");
    talk(&scratch, "takes.py --shape names.py", SECOND).said(1, "hint: return `(dictionary,)`");
    talk(&scratch, "made.py --shape nothing.py", "")
        .said(2, "has no function `show`, `ask`, `answer` or `make`");
    talk(&scratch, "made.py --shape missing.py", "").said(2, "there is no shape `missing.py`");
    talk(&scratch, "made.py --shape make.mjs", "").said(2, "is in JavaScript, and the bot is in Python");
    talk(&scratch, "made.mjs --shape make.py", "").said(2, "is in Python, and the bot is in JavaScript");
    talk(&scratch, "made.mjs:Bot", "").said(2, "that is the name of its default export");
    talk(&scratch, "made.py:Bot.speak", "").said(2, "hint: name the class, `Bot`");
}

#[test]
fn the_check_reports_what_a_bot_does_not_see() {
    let scratch = scratch();
    scratch.write("blind.py", "def play(): return 0\n");
    scratch.write("blind.mjs", "export const play = () => 0;\n");
    for bot in ["blind.py", "blind.mjs"] {
        let run = scratch.run(["adapt", bot, "--check", "--game", "kengu"]);
        for told in [
            "kengu: `play` is not shown the position: it has no parameter",
            "kengu: the answer `0` is read as the number of a legal move",
            "was the first of the legal ones",
        ] {
            assert!(run.done().contains(told), "{told}: {run:#?}");
        }
    }
    // Won or lost, it plays from both seats, and the check reports how its answers are read.
    scratch.write(
        "only.py",
        "def get_move(board, player):
    free = [(r, c) for r in range(5) for c in range(5) if {r, c} & {0, 4} and board[r][c] in (0, player)]
    return (*free[-1], 'up' if free[-1][0] else 'down')
",
    );
    let run = scratch.run(["adapt", "only.py", "--cells", "0/1/2", "--check"]);
    assert!(run.done().contains("is read as `e1e5`: rows and columns"), "{run:#?}");
    assert!(run.stdout.contains("trexo: only does not play this game\n"), "{run:#?}");
    assert!(!run.stderr.contains("Traceback") && run.stderr.contains("`--game GAME` shows why"), "{run:#?}");
    let run = scratch.run(["adapt", "only.py", "--cells", "0/1/2", "--check", "--game", "trexo"]);
    run.said(1, "hint: write a shape");
    // How a rejected answer was read is also reported.
    scratch.write("centre.py", "def get_move(board): return (2, 2), (0, 0)\n");
    let run = scratch.run(["adapt", "centre.py", "--check", "--game", "quixo"]);
    assert!(run.stdout.contains("quixo: the answer `((2, 2), (0, 0))` is read as `c3a5`"), "{run:#?}");
    let run = scratch.run(["adapt", "bot.py:nothing", "--check", "--game", "kengu", "-q"]);
    assert!(run.stdout.starts_with("kengu: bot failed: "), "{run:#?}");
    // It has used the legal moves if its shape has.
    scratch.write("index.mjs", "export const play = (list) => 0;\n");
    scratch.write("list.mjs", "export const show = (turn) => turn.legal;\n");
    let run = scratch.run(["adapt", "index.mjs", "--shape", "list.mjs", "--check", "--game", "quixo"]);
    assert!(!run.done().contains("has not looked at these"), "{run:#?}");
    assert!(run.stdout.contains("return `[array]` to pass one array"), "{run:#?}");
    // A missing module is not blamed on the sandbox.
    scratch.write("lacks.py", "import nowhere_to_be_found\ndef choose(legal): return 0\n");
    let run = scratch.run(["adapt", "lacks.py", "--check", "--game", "kengu"]);
    run.said(1, "hint: install `nowhere_to_be_found`");
    assert!(!run.stderr.contains("sandbox off"), "{}", run.stderr);
}

#[test]
fn the_page_lists_all_names_that_the_adapters_know() {
    let folder = crate::support::project();
    let names = |program: &str, file: &str, arguments: &[&str]| -> Vec<Vec<String>> {
        let mut command = std::process::Command::new(program);
        let output =
            command.arg(folder.join(file)).args(arguments).output().expect("the interpreter is there");
        let text = String::from_utf8(output.stdout).expect("names are text");
        text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
    };
    let python = names("python3", "bots/adapters/python/linesman_adapter.py", &["bot", "--names"]);
    let javascript = names("node", "bots/adapters/javascript/linesman_adapter.mjs", &["--names"]);
    let simple = |name: &String| name.replace('_', "").to_lowercase();
    let both = python.iter().filter(|row| row[0] != "rng");
    let both: Vec<Vec<String>> = both.map(|row| row.iter().map(simple).collect()).collect();
    let own: Vec<Vec<String>> = javascript.iter().map(|row| row.iter().map(simple).collect()).collect();
    assert_eq!(own, both, "both adapters know the same names");
    let page =
        std::fs::read_to_string(folder.join("docs/how-to/bring-your-bot.md")).expect("the page is there");
    let marked =
        |text: &str| -> Vec<String> { text.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let rows: Vec<Vec<String>> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .map(|line| match line.strip_prefix("class` |") {
            Some(methods) => marked(methods),
            None => marked(&format!("`{}", line.split(" |").next().unwrap_or_default())),
        })
        .collect();
    for mut row in python {
        row.sort();
        let is_there = rows.iter().any(|listed| {
            let mut listed = listed.clone();
            listed.sort();
            listed == row
        });
        assert!(is_there, "the page lacks a row of {row:?}");
    }
}
