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

const METHODS = [
  "choose", "chooseMove", "choose_move", "getMove", "get_move", "selectMove", "makeMove", "make_move",
  "chooseAction", "getAction", "act", "play", "move", "predict", "nextMove", "getNextMove", "bestMove", "getBestMove",
  "findMove", "findBestMove", "pickMove", "playMove", "decide", "think",
];
const SHAPES = ["function", "class", "agent"];
const LONGEST_ANSWER = 1000;

class CantUse extends Error {}
class BotFailed extends Error {}

/** Everything that the referee has said about the position in which the bot must move. */
class Turn {
  constructor(words = []) {
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
    this.legal = [];
    this.clocks = {};
  }

  get ply() {
    return Number(this.state.split(":")[2] ?? this.history.length);
  }

  /** Rows of cells from the top. Where a game has two boards, a list of both. */
  get board() {
    const boards = this.state.split(":")[0].split("|").map((board) =>
      board.split("/").map((row) => (row.includes(",") ? row.split(",") : [...row])));
    return boards.length > 1 ? boards : boards[0];
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
    return this.legal.map(() => 1);
  }

  get observation() {
    return {
      observation: this.board, board: this.board, state: this.state, legal: [...this.legal],
      legal_actions: this.legal.map((_, index) => index), action_mask: this.mask, player: this.seat,
      mark: this.seat, seat: this.seat, step: this.ply, history: [...this.history], game: this.game,
      remainingOverageTime: (this.clock ?? 0) / 1000,
    };
  }

  get configuration() {
    const limit = (this.time ?? 0) / 1000;
    return { ...this.options, game: this.game, actTimeout: limit, timeout: limit, seats: this.seats };
  }
}

// The names that parameters may have, without `_` and in lower case, and the values that these get.
const NAMES = [
  ["state token position pos fen", (turn) => turn.state],
  ["board grid rows", (turn) => turn.board],
  ["legal legalmoves moves actions legalactions validmoves validactions availablemoves possiblemoves choices",
    (turn) => [...turn.legal]],
  ["seat player me myseat playerid currentplayer mark", (turn) => turn.seat],
  ["seats players numplayers nplayers", (turn) => turn.seats],
  ["game gamename", (turn) => turn.game],
  ["ply step movenumber", (turn) => turn.ply],
  ["history pastmoves movessofar played", (turn) => [...turn.history]],
  ["time timems ms movetime budgetms timelimitms", (turn) => turn.time],
  ["clock clockms timeleft timeleftms remaining remainingms", (turn) => turn.clock],
  ["seconds timelimit timeout", (turn) => turn.time && turn.time / 1000],
  ["clocks", (turn) => ({ ...turn.clocks })],
  ["options gameoptions", (turn) => ({ ...turn.options })],
  ["observation obs", (turn) => turn.observation],
  ["configuration config conf", (turn) => turn.configuration],
  ["mask actionmask legalmask", (turn) => turn.mask],
  ["context ctx", (turn) => turn],
];
const VALUES = new Map(NAMES.flatMap(([names, value]) => names.split(" ").map((name) => [name, value])));
const valueOf = (name) => VALUES.get(name.replaceAll("_", "").toLowerCase());

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
  const values = parameters(code).filter((text) => !text.startsWith("...")).map((text) => {
    if (text.startsWith("{")) {
      // A pattern takes what it names out of an object.
      return (turn) => new Proxy({}, { get: (_, key) => (typeof key === "string" ? valueOf(key)?.(turn) : undefined) });
    }
    const name = text.split("=")[0].trim();
    const value = valueOf(name);
    if (value === undefined && !text.includes("=")) {
      const known = NAMES.map(([names]) => names.split(" ")[0]).join(", ");
      throw new CantUse(`${what} asks for \`${name}\`, and the adapter does not know what that is\n` +
        `hint: the names that it knows begin with ${known}; write a shape for other bots`);
    }
    return value ?? (() => undefined);
  });
  return (turn) => values.map((value) => value(turn));
}

const isClass = (thing) => typeof thing === "function" && /^class\b/.test(Function.prototype.toString.call(thing));
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

/** The nearest text to an answer. It is never made right: the referee judges it. */
function asMove(said, turn) {
  if (typeof said === "string") return said;
  if (typeof said === "number" || typeof said === "bigint") return turn.legal[said] ?? String(said);
  if (Array.isArray(said) && said.length > 0 && said.every((part) => typeof part === "string")) return said.join("");
  if (said !== null && typeof said === "object" && !Array.isArray(said)) {
    const key = ["move", "action", "bestmove"].find((name) => name in said);
    if (key !== undefined) return asMove(said[key], turn);
  }
  try {
    return JSON.stringify(said) ?? String(said);
  } catch {
    return String(said);
  }
}

/** The way in which a position is shown to a bot, and its answer becomes a move. */
class Shape {
  constructor(target, kind, own = {}) {
    Object.assign(this, { target, kind, own, GAMES: own.GAMES });
  }

  async make(turn) {
    if (this.own.make) this.bot = await this.own.make(this.target, turn);
    else if (isClass(this.target)) {
      const values = argumentsFor(constructorOf(this.target), `the class \`${this.target.name}\``)(turn);
      this.bot = new this.target(...values);
    } else this.bot = this.target;
    const name = typeof this.bot === "function" ? undefined : methodOf(this.bot);
    if (name === undefined && typeof this.bot !== "function" && !this.own.ask) {
      throw new CantUse("the bot has no method such as `choose` or `getMove`");
    }
    const call = name === undefined ? this.bot : this.bot[name];
    this.call = name === undefined ? call : call.bind(this.bot);
    if (this.kind === "agent") this.values = (turn) => [turn.observation, turn.configuration];
    else if (this.own.show) this.values = (turn) => [this.own.show(turn)].flat();
    else if (!this.own.ask) this.values = argumentsFor(Function.prototype.toString.call(call), `\`${call.name}\``);
  }

  ask(turn) {
    return this.own.ask ? this.own.ask(this.bot, turn) : this.call(...this.values(turn));
  }

  answer(said, turn) {
    return asMove(this.own.answer ? this.own.answer(said, turn) : said, turn);
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
    if (error instanceof CantUse || error instanceof BotFailed) throw error;
    throw new BotFailed(`${label} failed: ${told(error)}`);
  }
}

/** The stack of an error without the frames of this file and of Node.js. */
function told(error) {
  if (!(error instanceof Error) && typeof error?.stack !== "string") return `it threw ${String(error)}`;
  const isOther = (line) => !/^\s+at /.test(line) || !(line.includes(import.meta.url) || line.includes("node:"));
  return error.stack.split("\n").filter(isOther).join("\n");
}

/** The function, class or object that a name means, or the only one that can be meant. */
function findTarget(module, name, label) {
  const all = { ...(module.default && typeof module.default === "object" ? module.default : {}), ...module };
  if (name) {
    const found = name.split(".").reduce((inside, part) => inside?.[part], all);
    if (found === undefined) throw new CantUse(`\`${label}\` exports no \`${name}\``);
    return found;
  }
  const isBot = (thing) => typeof thing === "function" || methodOf(thing) !== undefined;
  if (isBot(module.default)) return module.default;
  const names = Object.keys(all).filter((key) => !["default", "module.exports"].includes(key) && isBot(all[key]));
  const known = names.filter((key) => METHODS.includes(key) || isClass(all[key]));
  const objects = names.filter((key) => typeof all[key] === "object");
  const found = [known, objects, names].find((keys) => keys.length > 0) ?? [];
  if (found.length === 1) return all[found[0]];
  const many = found.length === 0 ? "nothing to call" : `several bots: ${found.sort().join(", ")}`;
  throw new CantUse(`\`${label}\` exports ${many}\nhint: name the bot, as in \`FILE:NAME\``);
}

async function shapeOf(target, name) {
  if (name !== undefined && /\.[cm]?js$/.test(name)) {
    const module = await guarded(name, () => import(pathToFileURL(resolve(name)).href));
    const own = { ...module.default, ...module };
    if (!own.show && !own.ask) throw new CantUse(`the shape \`${name}\` has no function \`show\``);
    const guardedOwn = ["make", "show", "answer"].filter((key) => own[key]).map((key) => [key, (...values) => {
      try {
        return own[key](...values);
      } catch (error) {
        throw new BotFailed(`${name} failed: ${told(error)}`);
      }
    }]);
    return new Shape(target, "file", { ...own, ...Object.fromEntries(guardedOwn) });
  }
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
  const option = (name) => (words.includes(name) ? words.splice(words.indexOf(name), 2)[1] : undefined);
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
  const [shapeName, again, claims] = [option("--shape"), flag("--again"), flag("--claims")];
  if (words.length !== 1) throw new CantUse("usage: linesman_adapter.mjs FILE[:NAME] [--shape SHAPE] [--again]");
  const [, file, name] = /^(.*?)(?::([^:/]*))?$/.exec(words[0]);
  const label = basename(file);
  if (!existsSync(file)) throw new CantUse(`there is no file \`${file}\``);
  const module = await guarded(label, () => import(pathToFileURL(resolve(file)).href));
  const shape = await shapeOf(findTarget(module, name, label), shapeName);
  if (claims) return write((shape.GAMES ?? ["all"]).map((game) => `plays ${game}\n`).join(""));

  let [turn, isNew] = [new Turn(), true];
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
      if (!again || turn.legal.includes(move)) return move;
      console.error(`${label}: the answer \`${escaped(move)}\` is not legal; it is asked again`);
    }
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, ...words] = line.trim().split(/\s+/);
    if (verb === "ugi") write(`id name ${label}\nfeature state legal\nugiok\n`);
    else if (verb === "game") [turn, isNew] = [new Turn(words), true];
    else if (verb === "uginewgame") isNew = true;
    else if (verb === "isready") {
      await newBot();
      write("readyok\n");
    } else if (verb === "position") {
      const at = words.includes("moves") ? words.indexOf("moves") : words.length;
      [turn.start, turn.history] = [words[at - 1] ?? "startpos", words.slice(at + 1)];
    } else if (verb === "state") turn.state = words.join(" ");
    else if (verb === "legal") turn.legal = words;
    else if (verb === "go") {
      const pairs = words.map((word, index) => [word, Number(words[index + 1])]);
      turn.clocks = Object.fromEntries(pairs.filter(([, value]) => Number.isInteger(value)));
      await newBot();
      write(`bestmove ${escaped(await choose())}\n`);
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
