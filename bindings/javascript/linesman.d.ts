// The rules of linesman's games, for Node.js and browsers.

/** Loads the rules, from `linesman.wasm` beside this module unless another source is given. Call it first. */
export default function init(
  source?: URL | string | Response | BufferSource | WebAssembly.Module | Promise<Response>,
): Promise<void>;

/** The names of all games. */
export function games(): string[];

/** A request that can't be met. `message` says what. */
export class LinesmanError extends Error {
  readonly name: "NoSuchGame" | "BadOption" | "NotAPosition" | "NotAMove" | "IllegalMove" | "NoSuchSeat";
  /** The code of the rule that an illegal move breaks. */
  readonly rule: string | null;
  /** The place of the mistake in a token. */
  readonly place: string | null;
}

export type OptionValue = number | boolean | string;

/** A game with its options fixed. */
export class Game {
  /** @throws {LinesmanError} if there is no such game or option, or the option can't have this value */
  constructor(name: string, options?: Readonly<Record<string, OptionValue>>);
  /** The game's name, such as `quixo-teams`. */
  readonly name: string;
  /** The game's name for people. */
  readonly title: string;
  /** A description of the game in one line. */
  readonly about: string;
  /** The page that explains the game, as Markdown. */
  readonly page: string;
  /** Every option with its value. */
  readonly options: Readonly<Record<string, OptionValue>>;
  /** The number of seats. */
  readonly seats: number;
  /** The side that each seat plays for, from 0, in turn order. Teammates have the same one. */
  readonly sides: readonly number[];
  /**
   * The actions of which moves are made, by their numbers. In most games an action is a whole move. In Tandem a
   * move is its actions joined: `1c3`, `/2d4`, `!1a3e3`.
   */
  readonly actions: readonly string[];
  /** The planes of an observation. The least number of each is 0. */
  readonly planes: readonly Plane[];
  /** The numbers of planes, rows and columns of an observation. */
  readonly observationShape: readonly [number, number, number];
  /** The position in which the game starts. */
  start(): Position;
  /** The position of a token, with which the history begins. */
  fromToken(token: string): Position;
  /** The position to which moves lead from the start, or from a token. */
  replay(moves: readonly string[], token?: string): Position;
}

/** A plane of an observation. */
export interface Plane {
  /** The meaning of its numbers. */
  readonly name: string;
  /** Its greatest number. */
  readonly most: number;
}

/** A position of a game that is being played. */
export class Position {
  private constructor();
  /** The game. */
  readonly game: Game;
  /** The position as one word. */
  readonly token: string;
  /** The seat to move, from 1; at the end, the one whose turn it would be. */
  readonly seat: number;
  /** The number of plies since the start of the game. */
  readonly ply: number;
  /** True if the game has ended. */
  readonly isOver: boolean;
  /** The moves that were played since the history began. */
  readonly moves: string[];
  /** The end of the game, if it has ended. */
  readonly outcome: Outcome | null;
  /** The contents of a picture. */
  readonly scene: Scene;
  /** The legal moves, in byte order. */
  legal(): string[];
  /**
   * Plays a move, or puts seat 3 out of a game of three sides or more: `!3`.
   * @throws {LinesmanError} if it can't be played; the position has not changed then
   */
  play(move: string): void;
  /** The reason why a move can't be played, or null if it can. */
  explain(move: string): string | null;
  /**
   * A 1 for each action that can come next in this turn, and 0 for each other one. `chosen` are the actions of
   * this turn so far, joined.
   */
  mask(chosen?: string): Uint8Array;
  /** The position as a seat sees it: planes, rows from the top, columns. */
  observe(seat: number): Int16Array;
  /** An independent copy. */
  copy(): Position;
  /**
   * Gives its memory back at once; it can't be used then. Positions that nothing refers to are freed without it, but
   * only while the program pauses.
   */
  free(): void;
}

/** The end of a game. */
export interface Outcome {
  /** The place of each seat in turn order: 1 for those who came in first. */
  places: number[];
  /** The share of its opponents that each seat beat, ties counting half. */
  scores: number[];
  /** The rule that ended the game, in one word: `line`, `repetition`. */
  reason: string;
  /** The squares that decided the game. */
  marks: Mark[];
  /** The reason in a sentence without a full stop, by seats and squares. */
  why: string;
}

/** The contents of a picture of a position. */
export interface Scene {
  boards: Board[];
  /** The squares of the last move and, at the end, those that decided the game. */
  marks: Mark[];
  /** Lines of text that belong to the position: stocks, points. */
  captions: string[];
}

export interface Board {
  title: string | null;
  width: number;
  height: number;
  shape: "squares" | "hexagons";
  /** The cells, rank by rank from `a1`. */
  cells: Cell[];
  edges: { at: Direction; side: number; symbol: string }[];
}

export interface Cell {
  /** The color of the square, where the game has colored squares. */
  fill: string | null;
  piece: Piece | null;
  /** The group to which the cell belongs. */
  group: number;
}

export interface Piece {
  symbol: string;
  side: number;
  tint: string | null;
  pointer: { kind: "dot" | "joint"; direction: Direction } | null;
  level: number | null;
}

export interface Mark {
  kind: "from" | "to" | "line";
  /** The index of the board. */
  board: number;
  squares: string[];
  /** The side of a line. */
  side: number | null;
}

export type Direction = "north" | "east" | "south" | "west";
