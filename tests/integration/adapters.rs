//! `linesman adapt`: bots that were written for other frameworks play as they are.

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

/// The run of an adapted bot that is told this and then nothing more.
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
        // A bot that has failed reads no more.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the bot ends with its input");
    writer.join().expect("the writer does not panic");
    let text = |bytes| String::from_utf8(bytes).expect("bots write text");
    Run { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The tables of one game at which seat 1 is to move, from the start on.
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

/// What the referee says in a game of these positions.
fn game(id: &str, tables: &[Box<dyn Table>]) -> String {
    let mut text = format!("uginewgame\ngame {id} seat 1 seats 2 id a~b~1 options x=1,y=z\nisready\n");
    for table in tables {
        let (token, legal) = (table.token(), legal_moves(&**table).join(" "));
        let turn = format!("position fen {token}\nstate {token}\nlegal {legal}\ngo movetime 1000\n");
        text.push_str(&turn);
    }
    text
}

/// The input of a game in which one move is asked for.
fn one_turn() -> String {
    format!("ugi\n{}", game("quixo", &tables("quixo")[..1]))
}

/// The moves among what a bot said.
fn moves(run: &Run) -> Vec<&str> {
    run.stdout.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect()
}

/// The bot plays legal moves in whole games of these, all by one process.
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
    let all: Vec<&str> = games::GAMES.iter().map(|game| game.id()).collect();
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
    for file in ["object.py", "class.py", "helped.py", "object.mjs"] {
        plays(&scratch, file, &["quixo"]);
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
fn a_player_with_a_game_of_its_own_is_given_that() {
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
            .any(|own| line.starts_with(own))
    };
    for (bot, count) in [("bot.py:noisy", 4), ("bot.mjs:noisy", 3)] {
        let run = talk(&scratch, bot, &one_turn());
        assert!(run.stdout.lines().all(ours) && moves(&run) == ["a1a5"], "{run:#?}");
        let noise = ["imported", "from a child", "bestmove nonsense", "from the system"];
        assert_eq!(noise.iter().filter(|text| run.stderr.contains(**text)).count(), count, "{run:#?}");
    }
}

#[test]
fn failures_of_the_bot_and_wrong_usage_are_told_apart() {
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
        // Lists of processes do not show the adapter's text.
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
    assert_eq!(run.stdout, "kengu: bot failed; the reason stands above\n", "{run:#?}");
    run.said(1, "`99` is not a move");
    // It is asked which games it plays in the sandbox as well.
    scratch.write("nosy.py", "open('trace', 'w')\ndef choose(legal): return 0\n");
    let run = scratch.run(["adapt", "nosy.py", "--check"]);
    assert_eq!(run.stdout, "quixo: nosy failed; the reason stands above\n", "{run:#?}");
    run.said(1, "nosy.py failed: Traceback");
    assert!(!scratch.path("trace").exists());
    scratch.write("shape.py", format!("{SHAPE}GAMES = ['chess']\n"));
    scratch
        .run(["adapt", "bot.py:strange", "--shape", "shape.py", "--check"])
        .said(2, "none of the games: chess");
    let two =
        ["--bot", "linesman adapt bot.py:choose", "--bot", "linesman adapt bot.mjs:Bot", "--games", "2"];
    let game = ["match", "--game", "quixo", "--options", "size=3", "--movetime", "30s", "--fail-on-fault"];
    // The bot in Python asserts another time limit.
    scratch.write("bot.py", "def choose(board, legal): return legal[-1]\n");
    scratch.run(game.into_iter().chain(two)).done();
}

#[test]
fn the_adapter_can_be_taken_along() {
    let scratch = scratch();
    scratch.write("tools/.keep", "");
    let run = scratch.run(["adapt", "bot.py:choose", "--shape", "function", "--out", "tools"]);
    assert_eq!(run.done(), "python3 tools/linesman_adapter.py bot.py:choose --shape function\n");
    let printed = scratch.run(["adapt", "bot.py", "--print"]);
    assert_eq!(printed.done(), scratch.read("tools/linesman_adapter.py"));
}
