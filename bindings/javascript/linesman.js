// The rules of linesman's games: classes around the functions of linesman.wasm. For Node.js and browsers.

/** @type {any} The functions of the module, once `init` has loaded it. */
let rules = null;
/** @type {Promise<void> | null} */
let loading = null;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A request that can't be met. */
export class LinesmanError extends Error {
  constructor({ kind, why, rule, place }) {
    super(why);
    this.name = kind;
    this.rule = rule;
    this.place = place;
  }
}

/** Loads the module. Everything else works once the promise is kept; to call it again does nothing. */
export default function init(source) {
  loading ??= load(source ?? new URL("linesman.wasm", import.meta.url)).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(source) {
  const given = await source;
  const module = given instanceof WebAssembly.Module ? given : await WebAssembly.compile(await bytesOf(given));
  rules = (await WebAssembly.instantiate(module, {})).exports;
}

async function bytesOf(source) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (source instanceof URL && source.protocol === "file:" && globalThis.process?.versions?.node) {
    const { readFile } = await import("node:fs/promises");
    return readFile(source);
  }
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`can't load ${response.url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** The functions of the module. */
function loaded() {
  if (rules === null) throw new Error("the rules are not loaded: `await init()` first");
  return rules;
}

function write(text) {
  const bytes = encoder.encode(text);
  const at = loaded().input(bytes.length);
  new Uint8Array(rules.memory.buffer, at, bytes.length).set(bytes);
}

/** The output of this length, until the next call. */
function bytes(length) {
  return new Uint8Array(rules.memory.buffer, rules.output(), length);
}

/** A handle or the length of an output, unless the function returned a mistake. */
function checked(result) {
  if (result >= 0) return result;
  throw new LinesmanError(JSON.parse(text(rules.output_length())));
}

const text = (length) => decoder.decode(bytes(length));
const words = (length) => (length === 0 ? [] : text(length).split(" "));

const freed = new FinalizationRegistry(({ free, handle }) => rules[free](handle));

/** The names of all games. */
export function games() {
  return words(loaded().games());
}

/** A game with its options fixed. */
export class Game {
  #handle;

  constructor(name, options = {}) {
    const given = Object.entries(options).map(([option, value]) => [option, String(value)]);
    write(JSON.stringify({ name: String(name), options: given }));
    this.#handle = checked(rules.game_new());
    freed.register(this, { free: "game_free", handle: this.#handle });
    const { height, width, ...description } = JSON.parse(text(rules.game_description(this.#handle)));
    Object.assign(this, description);
    this.observationShape = [this.planes.length, height, width];
    Object.freeze(this);
  }

  /** The position in which the game starts. */
  start() {
    return new Position(this, rules.game_start(this.#handle));
  }

  /** The position of a token. */
  fromToken(token) {
    return this.replay([], token);
  }

  /** The position to which moves lead from the start, or from a token. */
  replay(moves, token) {
    write(JSON.stringify({ token: token ?? null, moves }));
    return new Position(this, checked(rules.game_replay(this.#handle)));
  }
}

/** A position of a game that is being played. */
export class Position {
  #handle;

  /** Games make positions. */
  constructor(game, handle) {
    this.game = game;
    this.#handle = handle;
    freed.register(this, { free: "position_free", handle }, this);
  }

  get #at() {
    if (this.#handle === null) throw new Error("the position has been freed");
    return this.#handle;
  }

  get token() {
    return text(rules.position_token(this.#at));
  }

  get seat() {
    return rules.position_seat(this.#at);
  }

  get ply() {
    return rules.position_ply(this.#at) >>> 0;
  }

  get isOver() {
    return rules.position_is_over(this.#at) === 1;
  }

  get moves() {
    return words(rules.position_moves(this.#at));
  }

  get outcome() {
    return JSON.parse(text(rules.position_outcome(this.#at)));
  }

  get scene() {
    return JSON.parse(text(rules.position_scene(this.#at)));
  }

  /** The legal moves, in byte order. */
  legal() {
    return words(rules.position_legal(this.#at));
  }

  /** Plays a move. */
  play(move) {
    write(String(move));
    checked(rules.position_play(this.#at));
  }

  /** The reason why a move can't be played, or null if it can. */
  explain(move) {
    write(String(move));
    return text(rules.position_explain(this.#at)) || null;
  }

  /** A 1 for each action that can come next in this turn. */
  mask(chosen = "") {
    write(chosen);
    return bytes(rules.position_mask(this.#at)).slice();
  }

  /** The position as a seat sees it. */
  observe(seat) {
    const seen = bytes(checked(rules.position_observe(this.#at, seat)));
    const view = new DataView(seen.buffer, seen.byteOffset, seen.byteLength);
    return Int16Array.from({ length: seen.length / 2 }, (_, index) => view.getInt16(2 * index, true));
  }

  /** An independent copy. */
  copy() {
    return new Position(this.game, rules.position_copy(this.#at));
  }

  /** Gives its memory back at once, where a program makes millions of copies without a pause. */
  free() {
    if (this.#handle === null) return;
    freed.unregister(this);
    rules.position_free(this.#handle);
    this.#handle = null;
  }
}
