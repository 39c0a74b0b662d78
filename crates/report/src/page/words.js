// @ts-check
// What is said in words: pure functions of the film.

/** @import { Board, Cell, Film, Frame, Player } from "./types.js" */

/**
 * A whole number with its thousands apart.
 * @param {number} number
 * @returns {string}
 */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * A time for people: `0.4 ms`, `12 ms`, `12.3 s`.
 * @param {number} microseconds
 * @returns {string}
 */
export function time(microseconds) {
  if (microseconds < 1_000) return `${(microseconds / 1_000).toFixed(1)} ms`;
  if (microseconds < 10_000_000) return `${grouped(Math.floor(microseconds / 1_000))} ms`;
  return `${(microseconds / 1_000_000).toFixed(1)} s`;
}

/**
 * What is left on a clock: `1:05`, `9.8 s`.
 * @param {number} milliseconds
 * @returns {string}
 */
export function clock(milliseconds) {
  if (milliseconds < 20_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.floor(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * A score in hundredths: `+0.31`.
 * @param {number} hundredths
 * @returns {string}
 */
export function score(hundredths) {
  return `${hundredths < 0 ? "\u2212" : "+"}${(Math.abs(hundredths) / 100).toFixed(2)}`;
}

/**
 * The name of a square.
 * @param {Board} board
 * @param {number} square
 * @returns {string}
 */
export function squareName(board, square) {
  return `${fileName(square % board.width)}${Math.floor(square / board.width) + 1}`;
}

/**
 * The letter of a file.
 * @param {number} file
 * @returns {string}
 */
export function fileName(file) {
  return String.fromCharCode("a".charCodeAt(0) + file);
}

/**
 * What a screen reader says of a square.
 * @param {Film} film
 * @param {Frame} frame
 * @param {number} boardIndex
 * @param {number} square
 * @returns {string}
 */
export function squareLabel(film, frame, boardIndex, square) {
  const board = frame.boards[boardIndex];
  const parts = [squareName(board, square), contents(film.cells[board.cells[square]])];
  for (const mark of frame.marks) {
    if (mark.board !== boardIndex || !mark.squares.includes(square)) continue;
    parts.push({ from: "taken here", to: "put here", line: "in the line" }[mark.kind]);
  }
  return parts.join(", ");
}

/** The names of colours that have one. @type {Record<string, string>} */
const COLOURS = {
  r: "red",
  o: "orange",
  y: "yellow",
  g: "green",
  t: "teal",
  b: "blue",
  p: "purple",
  n: "brown",
  w: "white",
  k: "black",
};

/**
 * @param {string} letter
 * @returns {string}
 */
function colourName(letter) {
  return COLOURS[letter] ?? letter;
}

/**
 * @param {Cell} cell
 * @returns {string}
 */
function contents({ piece, fill }) {
  const square = fill === null ? "" : ` on ${colourName(fill)}`;
  if (piece === null) return `empty${square}`;
  const words = [piece.symbol];
  if (piece.tint !== null) words.push(colourName(piece.tint));
  if (piece.pointer !== null) {
    words.push(piece.pointer.kind === "dot" ? "points" : "joined", piece.pointer.direction);
  }
  if (piece.level !== null) words.push(`level ${piece.level}`);
  return words.join(" ") + square;
}

/**
 * What a side shows beside its name.
 * @param {Player} player
 * @param {number} seat
 * @returns {string}
 */
export function badge(player, seat) {
  return player.symbol ?? String(seat);
}

/**
 * What stands below a player's name: team and seat where there are more than
 * two, and what the bot calls itself.
 * @param {Film} film
 * @param {Player} player
 * @param {number} seat
 * @returns {string}
 */
export function about(film, player, seat) {
  const parts = [];
  if (film.seats.length > 2 || player.version === null) parts.push(`seat ${seat}`);
  if (player.team !== null && player.team !== player.name) parts.push(player.team);
  if (player.version !== null) parts.push(player.version);
  return parts.join(" \u00b7 ");
}

/**
 * Whether a seat has been put out of the game at a ply.
 * @param {Film} film
 * @param {number} ply
 * @param {number} seat
 * @returns {boolean}
 */
export function isOut(film, ply, seat) {
  return film.frames.slice(0, ply + 1).some(({ played }) => played?.kind === "out" && played.seat === seat);
}

/**
 * What happened, in one sentence; spoken as it is shown.
 * @param {Film} film
 * @param {number} ply
 * @returns {string}
 */
export function happened(film, ply) {
  const { played, to_move } = film.frames[ply];
  if (played === null) {
    return to_move === null ? "Start." : `Start. ${film.seats[to_move - 1].name} moves first.`;
  }
  const name = film.seats[played.seat - 1].name;
  const number = `Move ${ply} of ${film.frames.length - 1}: `;
  if (played.kind === "out") return `${number}${name} is out of the game.`;
  if (played.kind === "opening") return `${number}${played.text}, from the opening.`;
  const took = played.time_us === null ? "" : ` in ${time(played.time_us)}`;
  return `${number}${name} plays ${played.text}${took}.`;
}

/**
 * What an analysis says of the move, to be spoken after it.
 * @param {Film} film
 * @param {number} ply
 * @returns {string}
 */
export function remarked(film, ply) {
  const remark = film.frames[ply].played?.remark;
  return remark === undefined ? "" : ` ${remark.text}.`;
}

/**
 * What the game was played by, in one line.
 * @param {Film} film
 * @returns {string[]}
 */
export function circumstances(film) {
  const board = film.frames[0].boards[0];
  const parts = [board === undefined ? film.title : `${film.title} ${board.width}\u00d7${board.height}`];
  if (film.time_control !== null) parts.push(timeControl(film.time_control));
  for (const { name, time_control } of film.seats) {
    if (time_control !== undefined) parts.push(`${name}: ${timeControl(time_control)}`);
  }
  if (film.league !== null) parts.push(film.league);
  if (film.started !== null) parts.push(film.started.replace("T", " ").replace(/(:\d\d)(\.\d+)?Z$/, "$1 UTC"));
  return parts;
}

/**
 * @param {string} text
 * @returns {string}
 */
function timeControl(text) {
  if (text.startsWith("movetime=")) return `${text.slice("movetime=".length)} per move`;
  if (text.startsWith("nodes=")) return `${text.slice("nodes=".length)} nodes per move`;
  if (text.startsWith("depth=")) return `${text.slice("depth=".length)} plies deep`;
  return text.startsWith("tc=") ? text.slice("tc=".length) : text;
}
