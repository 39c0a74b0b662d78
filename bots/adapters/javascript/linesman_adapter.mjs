#!/usr/bin/env node
// Lets linesman play with a JavaScript function or class that was written for something else.
//
//     node linesman_adapter.mjs my_bot.mjs:choose
//
// The guide `docs/how-to/bring-your-bot.md` describes the shapes, and how to write one. It needs Node.js 18.
//
// Exit status: 0 at the end of the input, 1 if the bot failed, 2 if the bot can't be used in this way,
// 70 if the adapter itself failed.
import { existsSync, writeSync } from "node:fs";
import { Console } from "node:console";
import { basename, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const METHOD_NAMES = "choose choose_move get_move select_move make_move choose_action get_action select_action " +
  "act play move predict next_move get_next_move best_move get_best_move find_move find_best_move " +
  "pick_move play_move decide think";
const inCamelCase = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const METHODS = [...new Set(METHOD_NAMES.split(" ").flatMap((name) => [inCamelCase(name), name]))];
const SHAPES = ["function", "class", "agent"];
const LONGEST_ANSWER = 1000;
const GUIDE = "docs/how-to/bring-your-bot.md";
// The first characters of the cells of each game, those of seat 1 or its team first.
const SIDES = {
  quixo: ["x", "o"], "quixo-teams": ["ns", "we"], trexo: ["x", "o"], kengu: ["Xx", "Oo"], tandem: ["1", "2", "3", "4"],
};

class CantUse extends Error {}
class BotFailed extends Error {}

/** The values of cells that `--cells` names: that of an empty one, then those of each side. */
class Cells {
  constructor(text) {
    const words = text.split(":");
    const value = (part) => (/^-?[0-9]+$/.test(part) ? Number(part) : part === "null" || part === "None" ? null : part);
    this.text = text;
    this.values = words.pop().split("/").map(value);
    this.isOwn = words.includes("own");
    this.isFlat = words.includes("flat");
    if (this.values.length < 3 || words.some((word) => !["own", "flat"].includes(word))) {
      throw new CantUse(`\`--cells ${text}\` names no cells\n` +
        "hint: give the values of an empty cell and of those of each seat, such as `0/1/2` or `own:0/1/-1`");
    }
  }

  /** The values by the first character of a cell. */
  legend(turn) {
    const sides = this.isOwn ? [...turn.sides.slice(turn.side), ...turn.sides.slice(0, turn.side)] : turn.sides;
    const [empty, ...values] = this.values;
    const letters = [...sides.join("")];
    const counts = [...new Set([sides.length, letters.length])];
    if (!counts.includes(values.length)) {
      const needed = counts.map((count) => count + 1).join(" or ");
      throw new CantUse(`\`--cells ${this.text}\` has ${this.values.length} values, and in ${turn.game} there are ` +
        `${needed}\nhint: name those of empty cells, \`${letters.join("`, `")}\``);
    }
    const sideOf = (letter) => sides.findIndex((side) => side.includes(letter));
    const at = (letter) => (values.length === letters.length ? letters.indexOf(letter) : sideOf(letter));
    return new Map([[".", empty], ...letters.map((letter) => [letter, values[at(letter)]])]);
  }

  boards(turn) {
    const legend = this.legend(turn);
    const boards = turn.boardsOfText.map((board) => board.map((row) => row.map((cell) => legend.get(cell[0]))));
    return this.isFlat ? boards.map((board) => board.flat()) : boards;
  }
}

/** Everything that the referee has said about the position in which the bot must move. */
class Turn {
  constructor(words = [], convention = null) {
    const after = (name) => words[words.indexOf(name, 1) + 1];
    const options = words.includes("options") ? after("options").split(",") : [];
    const value = (text) => (/^[0-9]+$/.test(text) ? Number(text) : text);
    this.game = words[0] ?? "";
    this.seat = words.includes("seat") ? Number(after("seat")) : 1;
    this.seats = words.includes("seats") ? Number(after("seats")) : 2;
    this.id = words.includes("id") ? after("id") : "";
    const parted = options.map((pair) => [pair.split("=")[0], pair.slice(pair.indexOf("=") + 1)]);
    this.options = Object.fromEntries(parted.map(([name, text]) => [name, value(text)]));
    this.start = "startpos";
    this.history = [];
    this.state = "";
    this.listed = [];
    this.clocks = {};
    this.convention = convention;
    this.remarks = new Map();
    this.hasShownLegal = false;
  }

  /** Keeps what `--explain` tells of how the bot is asked and understood; of each kind once in a game. */
  remark(kind, text) {
    if (!this.remarks.has(kind)) this.remarks.set(kind, text);
  }

  /** Tells of the cells that the bot is shown, once there are some. */
  remarkOnCells() {
    const kinds = [...new Set(this.boards.flat(2).map((cell) => JSON.stringify(cell)))].sort();
    if (!this.remarks.has("sight") && kinds.length > 2) {
      const shown = kinds.slice(0, 4).join("`, `");
      this.remark("cells", `the bot is shown cells such as \`${shown}\` (\`--cells\` gives it others)`);
    }
  }

  /** The legal moves, for a shape or a bot that looks at them. */
  get legal() {
    this.hasShownLegal = true;
    return this.listed;
  }

  get ply() {
    return Number(this.state.split(":")[2] ?? this.history.length);
  }

  get boardsOfText() {
    return this.state.split(":")[0].split("|").map((board) =>
      board.split("/").map((row) => (row.includes(",") ? row.split(",") : [...row])));
  }

  /** All boards of the game, as rows of cells from the top. */
  get boards() {
    return this.convention ? this.convention.boards(this) : this.boardsOfText;
  }

  /** Rows of cells from the top. Where a game has two boards, a list of both. */
  get board() {
    const { boards } = this;
    return boards.length > 1 ? boards : boards[0];
  }

  /** The board with other values for its cells, such as `turn.cells("0/1/2")`. */
  cells(convention) {
    const boards = new Cells(convention).boards(this);
    return boards.length > 1 ? boards : boards[0];
  }

  /** The text of squares that are given as [row, column] or { row, col }, counted from 0 at the top left. */
  squares(...places) {
    const texts = places.map((place) => square(place, this));
    if (texts.includes(null)) throw new Error(`${shortened(places[texts.indexOf(null)])} is no square`);
    return texts.join("");
  }

  /** The squares of a move as [row, column], counted from 0 at the top left. */
  places(move) {
    const rows = this.boardsOfText[0].length;
    return [...move.matchAll(/([a-z])([0-9]+)/g)].map(([, column, row]) => [rows - row, column.charCodeAt(0) - 97]);
  }

  get sides() {
    if (!SIDES[this.game]) throw new CantUse(`the adapter knows no cells of ${this.game}`);
    return SIDES[this.game].slice(0, this.seats);
  }

  get side() {
    return (this.seat - 1) % this.sides.length;
  }

  /** The value of the own cells on the board. */
  get symbol() {
    const letter = this.sides[this.side][0];
    return this.convention ? this.convention.legend(this).get(letter) : { n: "x", w: "o" }[letter] ?? letter;
  }

  /** The own seat, or the value of the own cells that `--cells` gives. */
  get mark() {
    return this.convention ? this.symbol : this.seat;
  }

  /** Milliseconds left on the own clock; without a clock, those for this move. */
  get clock() {
    return this.clocks[`p${this.seat}time`] ?? this.clocks.movetime ?? null;
  }

  /** Milliseconds that this move may take, by a plan for 30 more moves on a clock. */
  get time() {
    const left = this.clocks[`p${this.seat}time`] ?? Infinity;
    const share = left / Math.max(1, this.clocks.movestogo ?? 30) + (this.clocks[`p${this.seat}inc`] ?? 0);
    const most = Math.min(this.clocks.movetime ?? Infinity, left, share);
    return most === Infinity ? null : Math.floor(most);
  }

  get mask() {
    return this.listed.map(() => 1);
  }

  get observation() {
    const turn = this;
    const legal = (key, value) => ({ get [key]() { turn.hasShownLegal = true; return value; } });
    return Object.defineProperties({
      observation: this.board, board: this.board, state: this.state, player: this.mark,
      mark: this.mark, seat: this.seat, step: this.ply, history: [...this.history], game: this.game,
      remainingOverageTime: (this.clock ?? 0) / 1000, current_player: this.mark, currentPlayer: this.mark,
      to_move: this.mark, toMove: this.mark, boards: this.boards,
    }, Object.assign(...[
      ["legal", [...this.listed]], ["moves", [...this.listed]], ["legalMoves", [...this.listed]],
      ["legal_moves", [...this.listed]], ["action_mask", this.mask],
      ["legal_actions", this.listed.map((_, index) => index)],
    ].map(([key, value]) => Object.getOwnPropertyDescriptors(legal(key, value)))));
  }

  get configuration() {
    const limit = (this.time ?? 0) / 1000;
    return { ...this.options, game: this.game, actTimeout: limit, timeout: limit, seats: this.seats };
  }
}

const legalOf = (turn) => [...turn.legal];
const maskOf = (turn) => {
  turn.hasShownLegal = true;
  return turn.mask;
};

// The names that parameters may have, without `_` and in lower case, and the values that these get.
const NAMES = [
  ["state token position pos fen gamestate boardstate", (turn) => turn.state],
  ["board grid rows", (turn) => turn.board],
  ["boards", (turn) => turn.boards],
  ["legal legalmoves moves actions legalactions validmoves validactions availablemoves availableactions " +
    "possiblemoves possibleactions choices", legalOf],
  ["seat myseat playerid", (turn) => turn.seat],
  ["player me currentplayer mark tomove", (turn) => turn.mark],
  ["symbol mysymbol color colour piece sign", (turn) => turn.symbol],
  ["seats players numplayers nplayers", (turn) => turn.seats],
  ["game gamename", (turn) => turn.game],
  ["ply step movenumber", (turn) => turn.ply],
  ["history pastmoves movessofar played", (turn) => [...turn.history]],
  ["time timems ms movetime budgetms timelimitms", (turn) => turn.time],
  ["clock clockms timeleft timeleftms remaining remainingms", (turn) => turn.clock],
  ["seconds timelimit timeout timelimitseconds", (turn) => turn.time && turn.time / 1000],
  ["clocks", (turn) => ({ ...turn.clocks })],
  ["options gameoptions", (turn) => ({ ...turn.options })],
  ["observation obs", (turn) => turn.observation],
  ["configuration config conf", (turn) => turn.configuration],
  ["mask actionmask actionmasks legalmask", maskOf],
  ["context ctx everything", (turn) => turn],
];
const VALUES = new Map(NAMES.flatMap(([names, value]) => names.split(" ").map((name) => [name, value])));
const simple = (name) => name.replaceAll("_", "").toLowerCase();
const valueOf = (name) => VALUES.get(simple(name));
// The names by which a bot sees the position, and those of a text that a bot may use as an object.
const SHOWN = NAMES.filter(([names]) => /^(state|game) /.test(names)).flatMap(([names]) => names.split(" "));
const SIGHT = new Set(NAMES.filter(([names]) => /^(state|board|boards|history|observation|context)\b/.test(names))
  .flatMap(([names]) => names.split(" ")));

/** True if the code of a function takes something out of this parameter, as of an object. */
function isUsedAsObject(code, name) {
  const safe = name.replace(/\$/g, "\\$&");
  const keys = "board|boards|player|turn|legal\\w*|moves|currentPlayer|current_player|toMove|to_move|mark|symbol|seat";
  const taken = `(?<![\\w$.])${safe}(\\??\\.(${keys})\\b|\\[["'](${keys})["']\\])`;
  return new RegExp(`${taken}|\\}\\s*=\\s*${safe}\\b`).test(code);
}

/** The text between the brackets of a function's parameters, cut at its commas. */
function parameters(code) {
  const text = code.replace(/\/\*[^]*?\*\/|\/\/.*$/gm, "");
  const alone = /^\s*(?:async\s+)?([A-Za-z_$][\w$]*)\s*=>/.exec(text);
  if (alone) return [alone[1]];
  const parts = [""];
  let depth = 0;
  for (const letter of text.slice(text.indexOf("("))) {
    if (")]}".includes(letter)) depth -= 1;
    if (depth === 0 && letter === ")") break;
    if (depth === 1 && letter === ",") parts.push("");
    else if (depth > 0) parts[parts.length - 1] += letter;
    if ("([{".includes(letter)) depth += 1;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** A function that makes the arguments of a call, by the names of its parameters. */
function argumentsFor(code, what) {
  const named = parameters(code).filter((text) => !text.startsWith("..."));
  const [seen, remarks] = [[], []];
  const values = named.map((text) => {
    if (text.startsWith("{")) {
      seen.push(...(text.match(/[A-Za-z_$][\w$]*/g) ?? []));
      // A pattern takes what it names out of an object.
      return (turn) => new Proxy({}, { get: (_, key) => (typeof key === "string" ? valueOf(key)?.(turn) : undefined) });
    }
    const name = text.split("=")[0].trim();
    seen.push(name);
    if (SHOWN.includes(simple(name)) && isUsedAsObject(code, name)) {
      seen.push("observation");
      return (turn) => turn.observation;
    }
    const value = valueOf(name);
    if (value === undefined && !text.includes("=")) {
      const known = NAMES.map(([names]) => names.split(" ")[0]).join(", ");
      throw new CantUse(`${what} asks for \`${name}\`, and the adapter does not know what that is\n` +
        `hint: the names that it knows begin with ${known}; write a shape for other bots (${GUIDE})`);
    }
    if (value === undefined && /=\s*(["'`]).\1$/.test(text)) {
      // It may be a mark, and the bot plays from other seats as well.
      remarks.push(["default", `${what} keeps \`${text}\`: the adapter does not know what \`${name}\` is`]);
    }
    return value ?? (() => undefined);
  });
  const make = (turn) => values.map((value) => value(turn));
  const why = named.length === 0 ? "it has no parameter that asks for it" : "its parameters ask for other things only";
  const sees = seen.some((name) => SIGHT.has(simple(name))) || /\barguments\b/.test(code);
  if (!sees) remarks.push(["sight", `${what} is not shown the position: ${why}`]);
  make.remarks = remarks;
  return make;
}

const isClass = (thing) => typeof thing === "function" && /^class\b/.test(Function.prototype.toString.call(thing));
// The functions of which these are methods with their `this`: a proxy does not show its code.
const UNBOUND = new WeakMap();
const codeOf = (thing) => Function.prototype.toString.call(UNBOUND.get(thing) ?? thing);
// A generator that uses what its `yield` gives it.
const isSentValues = (code) => /^(async\s+)?function\s*\*/.test(code) && /[=(,?:&|]\s*yield\b/.test(code);
const methodOf = (thing) => METHODS.find((name) => typeof thing?.[name] === "function");

/** The code of a class's constructor, from its name on; the inherited one if it has none of its own. */
function constructorOf(target) {
  for (let own = target; isClass(own); own = Object.getPrototypeOf(own)) {
    const code = Function.prototype.toString.call(own);
    const at = code.search(/\bconstructor\s*\(/);
    if (at >= 0) return code.slice(at);
  }
  return "()";
}

/** A text as one word: what a line can't hold is escaped. */
function escaped(text) {
  const cut = [...text].slice(0, LONGEST_ANSWER).join("");
  const one = (letter) => {
    const code = letter.codePointAt(0);
    return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  };
  return cut.replace(/[\s\p{C}\p{Z}]/gu, one) || '""';
}

const whole = (value) => Number.isInteger(value) || typeof value === "bigint";
const byKey = (answer, names) => answer[names.split(" ").find((name) => name in answer)] ?? null;
const lowered = (answer) =>
  Object.fromEntries(Object.entries(answer).map(([key, value]) => [key.toLowerCase(), value]));
const isPlain = (said) => said !== null && typeof said === "object" && !Array.isArray(said);
const isOfTexts = (said) => Array.isArray(said) && said.length > 0 && said.every((part) => typeof part === "string");

function shortened(said) {
  try {
    return (JSON.stringify(said) ?? String(said)).slice(0, 60);
  } catch {
    return String(said).slice(0, 60);
  }
}

/** A square from its name, its row and column, or its number, counted from 0 at the top left; or null. */
function square(said, turn) {
  const board = turn.boardsOfText[0];
  const [rows, columns] = [board.length, board[0].length];
  if (typeof said === "string") return /^[a-z][1-9][0-9]?$/.test(said) ? said : null;
  let at = said;
  if (whole(said)) at = [Math.floor(Number(said) / columns), Number(said) % columns];
  if (isPlain(said)) at = [byKey(lowered(said), "row r y"), byKey(lowered(said), "col column c x")];
  if (!Array.isArray(at) || at.length !== 2 || !at.every(whole)) return null;
  const [row, column] = at.map(Number);
  const isInside = row >= 0 && row < rows && column >= 0 && column < columns;
  return isInside ? "abcdefghijklmnopqrstuvwxyz"[column] + (rows - row) : null;
}

const ENDS = {
  top: "t top u up n north", bottom: "b bottom d down s south", left: "l left w west", right: "r right e east",
};
const DIRECTIONS = new Map(Object.entries(ENDS).flatMap(([end, words]) => words.split(" ").map((word) => [word, end])));
const STARTS_OF_MOVES = "from start source src take cube piece origin square pos position cross from_pos";
const ENDS_OF_MOVES = "to end target destination dest put nought to_pos direction dir slide side";

/** The square where a cube is put back that goes in a direction, as far as it can. */
function pushed(start, direction, turn) {
  const board = turn.boardsOfText[0];
  const last = "abcdefghijklmnopqrstuvwxyz"[board[0].length - 1];
  return {
    top: start[0] + board.length, bottom: `${start[0]}1`, left: `a${start.slice(1)}`, right: last + start.slice(1),
  }[DIRECTIONS.get(direction.toLowerCase())];
}

/** A move of Kengu from its flip, its place and its color. */
function ofCards(said, turn) {
  const parts = [];
  const color = String(byKey(said, "color colour")).slice(0, 1).toLowerCase();
  if (said.flip !== null) {
    const ends = Array.isArray(said.flip) && said.flip.length === 2 ? said.flip : [null];
    const texts = ends.map((end) => square(end, turn));
    parts.push(texts.includes(null) ? null : texts.join(""));
  }
  if (byKey(said, "place") !== null) {
    const at = square(said.place, turn);
    parts.push(at !== null && ["r", "y"].includes(color) ? at + color : null);
  }
  return parts.includes(null) ? null : parts.join("/");
}

/** The move of an answer made of squares, rows and columns, or a direction; null if it is none of these. */
function ofSquares(said, turn) {
  let parts;
  if (isPlain(said)) {
    const keys = lowered(said);
    if (turn.game === "kengu" && "flip" in keys) return ofCards(keys, turn);
    parts = [byKey(keys, STARTS_OF_MOVES) ?? keys, byKey(keys, ENDS_OF_MOVES)];
  } else if (Array.isArray(said)) {
    const isFlat = [3, 4].includes(said.length) && said.slice(0, 2).every(whole);
    parts = isFlat ? [said.slice(0, 2), said.length === 3 ? said[2] : said.slice(2)] : said;
  } else return null;
  if (!["quixo", "trexo"].includes(turn.game) || parts.length !== 2) return null;
  const start = square(parts[0], turn);
  if (start === null) return null;
  const isDirection = typeof parts[1] === "string" && DIRECTIONS.has(parts[1].toLowerCase());
  if (turn.game === "quixo" && isDirection) return start + pushed(start, parts[1], turn);
  const end = square(parts[1], turn);
  return end === null ? null : start + end;
}

/** The nearest text to an answer. It is never made right: the referee judges it. */
function asMove(said, turn) {
  if (typeof said === "string") return said;
  if (whole(said)) {
    if (!turn.hasShownLegal) {
      turn.remark("number", `the answer \`${said}\` is read as the number of a legal move, but the bot has not ` +
        "looked at these");
    }
    return turn.listed[said] ?? String(said);
  }
  if (isPlain(said)) {
    const key = ["move", "action", "bestmove"].find((name) => name in said);
    if (key !== undefined) return asMove(said[key], turn);
  }
  const move = ofSquares(said, turn);
  if (move !== null) {
    if (!isOfTexts(said)) {
      turn.remark("squares", `the answer \`${shortened(said)}\` is read as \`${move}\`: rows and columns are counted ` +
        "from 0 at the top left");
    }
    return move;
  }
  if (isOfTexts(said)) return said.join("");
  try {
    return JSON.stringify(said) ?? String(said);
  } catch {
    return String(said);
  }
}

/** The way in which a position is shown to a bot, and its answer becomes a move. */
class Shape {
  constructor(target, kind, own = {}) {
    const games = typeof own.GAMES === "string" ? [own.GAMES] : own.GAMES;
    Object.assign(this, { target, kind, own, GAMES: games });
    this.isSentValues = typeof target === "function" && kind !== "file" && isSentValues(codeOf(target));
  }

  async make(turn) {
    if (this.own.make) this.bot = await this.own.make(this.target, turn);
    else if (isClass(this.target) || this.isSentValues) {
      const what = `${isClass(this.target) ? "the class " : ""}\`${this.target.name}\``;
      const code = isClass(this.target) ? constructorOf(this.target) : codeOf(this.target);
      const make = argumentsFor(code, what);
      // A bot is not told of the position when it is made.
      make.remarks.filter(([kind]) => kind !== "sight").forEach(([kind, text]) => turn.remark(kind, text));
      const values = make(turn);
      this.bot = isClass(this.target) ? new this.target(...values) : this.target(...values);
    } else this.bot = this.target;
    if (this.isSentValues) await this.bot.next();
    else if (!this.own.ask) this.findCall(turn);
  }

  /** What is called of the bot, a method unless it is a function, and what it asks for. */
  findCall(turn) {
    const name = typeof this.bot === "function" ? undefined : methodOf(this.bot);
    if (name === undefined && typeof this.bot !== "function") {
      throw withoutMethod(this.bot);
    }
    const call = name === undefined ? this.bot : this.bot[name];
    this.call = name === undefined ? call : call.bind(this.bot);
    if (this.kind === "agent") this.values = (turn) => [turn.observation, turn.configuration];
    else if (this.own.show) this.values = (turn) => this.shown(turn, call);
    else this.values = argumentsFor(codeOf(call), `\`${call.name || "the bot"}\``);
    (this.values.remarks ?? []).forEach(([kind, text]) => turn.remark(kind, text));
  }

  /** The arguments that `show` returns, with a remark if it spread an array that was meant to be one of them. */
  shown(turn, call) {
    const shown = this.own.show(turn);
    const code = codeOf(call);
    const taken = parameters(code);
    const isOpen = taken.some((text) => text.startsWith("...")) || /\barguments\b/.test(code);
    if (Array.isArray(shown) && shown.length > taken.length && !isOpen) {
      turn.remark("spread", `\`show\` returned an array, so \`${call.name || "the bot"}\` is called with ` +
        `${shown.length} arguments, and it takes ${taken.length}: return \`[array]\` to pass one array`);
    }
    return [shown].flat();
  }

  async ask(turn) {
    if (this.isSentValues) {
      const { done, value } = await this.bot.next({ ...turn.observation });
      if (done && value === undefined) throw new Error("the generator has ended");
      return value;
    }
    return this.own.ask ? this.own.ask(this.bot, turn) : this.call(...this.values(turn));
  }

  answer(said, turn) {
    if (!this.own.answer) return asMove(said, turn);
    // The shape knows what its numbers mean.
    turn.hasShownLegal = true;
    return asMove(this.own.answer(said, turn), turn);
  }
}

/** The value of what a function returned. Of a generator it is the last, or that at the end of the time. */
async function finished(said, turn) {
  const isGenerator = said?.[Symbol.asyncIterator] ?? (typeof said?.next === "function" && said[Symbol.iterator]);
  if (!isGenerator) return said;
  const end = performance.now() + 0.8 * (turn.time ?? Infinity);
  let last;
  for await (const value of said) {
    last = value;
    if (performance.now() >= end) break;
  }
  return last;
}

/** Runs code of the user. If it fails, that is told as its failure, with its own frames only. */
async function guarded(label, call) {
  try {
    return await call();
  } catch (error) {
    throw failure(error, label, []);
  }
}

/** The stack of an error without the frames of this file and of Node.js. */
function told(error) {
  if (!(error instanceof Error) && typeof error?.stack !== "string") return `it threw ${String(error)}`;
  const isOther = (line) => !/^\s+at /.test(line) || !(line.includes(import.meta.url) || line.includes("node:"));
  return error.stack.split("\n").filter(isOther).join("\n");
}

/** The failure of code of the user. The innermost of the files that have a label is the one that failed. */
function failure(error, label, labels) {
  if (error instanceof CantUse || error instanceof BotFailed) return error;
  const lines = String(error?.stack).split("\n");
  const inside = lines.flatMap((line) => labels.filter(([url]) => line.includes(url)))[0];
  const isMissing = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(error?.code);
  const hint = isMissing ? "\nhint: install what is missing beside the bot, such as with `npm install`" : "";
  return new BotFailed(`${inside?.[1] ?? label} failed: ${told(error)}${hint}`);
}

const isError = (thing) => isClass(thing) && thing.prototype instanceof Error;

/** The names of the functions that an object has, and of the methods of its class. */
function functionsOf(thing) {
  const names = new Set();
  for (let own = thing; own && own !== Object.prototype; own = Object.getPrototypeOf(own)) {
    Object.keys(Object.getOwnPropertyDescriptors(own)).forEach((key) => names.add(key));
  }
  return [...names].filter((key) => key !== "constructor" && typeof thing[key] === "function" && !isClass(thing[key]));
}

/** True of an exported object that is a bot by itself, and not a list of what a file exports. */
function isBotObject(module, isCalledByShape) {
  const thing = module.default;
  const names = Object.keys(module).filter((key) => !["default", "module.exports"].includes(key));
  if (thing === null || typeof thing !== "object" || names.some((key) => module[key] !== thing[key])) return false;
  const own = functionsOf(thing);
  const isPlain = Object.getPrototypeOf(thing) === Object.prototype;
  const hasOthers = Object.values(thing).some((value) => isClass(value) || methodOf(value) !== undefined);
  if (own.length === 0 || hasOthers) return false;
  // A single function is taken by itself, unless it is a method.
  return !isPlain || (isCalledByShape && own.length > 1) || own.some((key) => /\bthis\b/.test(codeOf(thing[key])));
}

/** A member of an object; a function keeps the object as its `this`, and its own `prototype` and static members. */
function memberOf(owner, key) {
  const member = owner?.[key];
  if (typeof member !== "function" || isClass(member)) return member;
  const bound = new Proxy(member, { apply: (own, _, values) => Reflect.apply(own, owner, values) });
  UNBOUND.set(bound, member);
  return bound;
}

/** The function, class or object that a name means, or the only one that can be meant. */
function findTarget(module, name, label, isCalledByShape) {
  const owner = module.default && typeof module.default === "object" ? module.default : {};
  const all = { ...owner, ...module };
  const exported = (key) => (key in owner && owner[key] === (all[key] ?? owner[key]) ? memberOf(owner, key) : all[key]);
  if (name) {
    const [first, ...parts] = name.split(".");
    const found = parts.reduce(memberOf, exported(first));
    if (found !== undefined) return found;
    const isDefault = module.default?.name === name;
    throw new CantUse(`\`${label}\` exports no \`${name}\`` + (isDefault
      ? `: that is the name of its default export\nhint: leave the name out, or write \`${label}:default\``
      : ""));
  }
  const isBot = (thing) => (typeof thing === "function" && !isError(thing)) || methodOf(thing) !== undefined;
  if (isBot(module.default) || isBotObject(module, isCalledByShape)) return module.default;
  const names = Object.keys(all).filter((key) => !["default", "module.exports"].includes(key) && isBot(all[key]));
  const classes = names.filter((key) => isClass(all[key]));
  const players = classes.filter((key) => methodOf(all[key].prototype) !== undefined);
  const known = names.filter((key) => METHODS.includes(key) || players.includes(key));
  const objects = names.filter((key) => typeof all[key] === "object");
  // Such a shape knows the methods of a class, and other functions are its helpers.
  const others = isCalledByShape ? [classes, names] : [names];
  const found = [known, objects, ...others].find((keys) => keys.length > 0) ?? [];
  if (found.length === 1) return exported(found[0]);
  const many = found.length === 0 ? "nothing to call" : `several bots: ${found.sort().join(", ")}`;
  throw new CantUse(`\`${label}\` exports ${many}\nhint: name the bot, as in \`FILE:NAME\``);
}

/** The complaint about an object whose methods the adapter does not know, and what helps. */
function withoutMethod(bot) {
  const names = Object.getPrototypeOf(bot ?? {})?.constructor?.name;
  const what = names && names !== "Object" ? `the class \`${names}\`` : "the bot";
  const methods = functionsOf(bot).map((name) => `\`${name}\``).slice(0, 8).join(", ");
  return new CantUse(`${what} has no method such as \`choose\` or \`getMove\`${methods && `; it has ${methods}`}\n` +
    `hint: call its methods in the function \`ask\` of a shape (${GUIDE}, "A shape of your own"); if another class or ` +
    "function is the bot, export it and name it as in `FILE:NAME`");
}

/** The functions of a shape in a file; what fails in the code of the bot is the bot's failure. */
async function loadShape(name, labels) {
  if (!existsSync(name)) {
    throw new CantUse(`there is no shape \`${name}\`\nhint: name a file, or one of ${SHAPES.join(", ")}`);
  }
  const { href } = pathToFileURL(resolve(name));
  const module = await guarded(name, () => import(href));
  const own = { ...module.default, ...module };
  const functions = ["show", "ask", "answer", "make"].filter((key) => own[key]);
  if (functions.length === 0) {
    throw new CantUse(`the shape \`${name}\` has no function \`show\`, \`ask\`, \`answer\` or \`make\``);
  }
  const all = [[href, name], ...labels];
  for (const key of functions) {
    const call = own[key];
    own[key] = (...values) => {
      try {
        const value = call(...values);
        return typeof value?.then === "function" ? value.catch((error) => { throw failure(error, name, all); }) : value;
      } catch (error) {
        throw failure(error, name, all);
      }
    };
  }
  return own;
}

function isShapeFile(name) {
  if (name?.endsWith(".py")) {
    throw new CantUse(`the shape \`${name}\` is in Python, and the bot is in JavaScript\n` +
      "hint: write the shape in JavaScript");
  }
  return name !== undefined && /\.[cm]?js$/.test(name);
}

function shapeOf(target, name, own) {
  if (own) return new Shape(target, "file", own);
  if (name !== undefined && !SHAPES.includes(name)) {
    throw new CantUse(`there is no shape \`${name}\`\nhint: choose one of ${SHAPES.join(", ")}, or a file`);
  }
  if (name === "function" && (typeof target !== "function" || isClass(target))) {
    throw new CantUse("the bot is no function");
  }
  if (name === "class" && !isClass(target) && typeof target === "function") throw new CantUse("the bot is a function");
  return new Shape(target, name);
}

async function main() {
  // Lists of processes show this, and not the text of this file.
  process.title = `node linesman_adapter.mjs ${process.argv.slice(1).join(" ")}`;
  // The bot's console is stderr: stdout belongs to the referee.
  globalThis.console = new Console(process.stderr, process.stderr);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const words = process.argv.slice(process.argv[1] && basename(process.argv[1]) === "linesman_adapter.mjs" ? 2 : 1);
  const option = (name) => {
    const at = words.findIndex((word) => word === name || word.startsWith(`${name}=`));
    if (at < 0) return undefined;
    return words[at] === name ? words.splice(at, 2)[1] : words.splice(at, 1)[0].slice(name.length + 1);
  };
  const flag = (name) => words.includes(name) && words.splice(words.indexOf(name), 1).length > 0;
  // `linesman adapt` gives the referee's pipe another number, so that child processes don't print to it.
  const out = Number(option("--fd") ?? 1);
  const write = (text) => {
    for (let rest = Buffer.from(text); rest.length > 0;) {
      try {
        rest = rest.subarray(writeSync(out, rest));
      } catch (error) {
        if (error.code !== "EAGAIN") throw error;
      }
    }
  };
  const [shapeName, cells] = [option("--shape"), option("--cells")];
  const [again, claims, explains] = [flag("--again"), flag("--claims"), flag("--explain")];
  if (flag("--names")) {
    return write([...NAMES.map(([names]) => names), METHOD_NAMES].map((names) => `${names}\n`).join(""));
  }
  if (words.length !== 1) {
    throw new CantUse("usage: linesman_adapter.mjs FILE[:NAME] [--shape SHAPE] [--cells VALUES] [--again]");
  }
  const [, file, name] = /^(.*?)(?::([^:/]*))?$/.exec(words[0]);
  const label = basename(file);
  if (!existsSync(file)) throw new CantUse(`there is no file \`${file}\``);
  const { href } = pathToFileURL(resolve(file));
  const own = isShapeFile(shapeName) ? await loadShape(shapeName, [[href, label]]) : undefined;
  const claim = (games) => write([games ?? ["all"]].flat().map((game) => `plays ${game}\n`).join(""));
  if (claims && own) return claim(own.GAMES);
  const module = await guarded(label, () => import(href));
  const target = findTarget(module, name, label, Boolean(own?.make || own?.ask));
  const shape = shapeOf(target, shapeName, own);
  if (claims) return claim(shape.GAMES);
  const asked = cells ?? own?.CELLS;
  const convention = asked === undefined ? null : new Cells(asked);
  const explain = () => {
    // Each remark once in a game, and one for each move: a record keeps one text for each.
    if (!explains) return;
    if (!shape.own.show && !shape.own.ask) turn.remarkOnCells();
    const [kind, text] = [...turn.remarks].find(([, text]) => text !== "") ?? [];
    if (kind === undefined) return;
    turn.remarks.set(kind, "");
    write(`info string ${text.replace(/[\s\p{C}]+/gu, " ")}\n`);
  };

  let [turn, isNew] = [new Turn([], convention), true];
  const newBot = async () => {
    if (!isNew || !turn.game) return;
    if (shape.GAMES && !shape.GAMES.includes(turn.game)) {
      throw new CantUse(`the bot plays ${shape.GAMES.join(", ")} and not ${turn.game}`);
    }
    await guarded(label, () => shape.make(turn));
    isNew = false;
  };
  const choose = async () => {
    for (;;) {
      const said = await guarded(label, async () => finished(await shape.ask(turn), turn));
      const move = shape.answer(said, turn);
      if (!again || turn.listed.includes(move)) return move;
      console.error(`${label}: the answer \`${escaped(move)}\` is not legal; it is asked again`);
    }
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, ...words] = line.trim().split(/\s+/);
    if (verb === "ugi") write(`id name ${label}\nfeature state legal\nugiok\n`);
    else if (verb === "game") [turn, isNew] = [new Turn(words, convention), true];
    else if (verb === "uginewgame") isNew = true;
    else if (verb === "isready") {
      await newBot();
      write("readyok\n");
    } else if (verb === "position") {
      const at = words.includes("moves") ? words.indexOf("moves") : words.length;
      [turn.start, turn.history] = [words[at - 1] ?? "startpos", words.slice(at + 1)];
    } else if (verb === "state") turn.state = words.join(" ");
    else if (verb === "legal") turn.listed = words;
    else if (verb === "go") {
      const pairs = words.map((word, index) => [word, Number(words[index + 1])]);
      turn.clocks = Object.fromEntries(pairs.filter(([, value]) => Number.isInteger(value)));
      await newBot();
      const move = await choose();
      explain();
      write(`bestmove ${escaped(move)}\n`);
    } else if (verb === "quit") break;
  }
}

/** Tells why the adapter ends. A bot that throws later, out of turn, has failed as well. */
function fail(error) {
  const isOurs = !(error instanceof CantUse || error instanceof BotFailed);
  const text = error instanceof CantUse ? `linesman_adapter: ${error.message}` : error.message;
  process.stderr.write(`${isOurs ? `linesman_adapter failed: ${error?.stack ?? error}` : text}\n`);
  process.exit(error instanceof BotFailed ? 1 : isOurs ? 70 : 2);
}

const late = (error) => {
  const isGone = error?.code === "EPIPE";
  fail(isGone ? new CantUse("the referee is gone") : new BotFailed(`the bot failed: ${told(error)}`));
};
process.on("uncaughtException", late);
process.on("unhandledRejection", late);
main().then(() => process.exit(0), fail);
