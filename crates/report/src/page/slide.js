// @ts-check
// Which pieces a move pushed along, seen from the pictures before and after.

/** @import { Frame } from "./types.js" */

/**
 * A piece that came to a square from elsewhere.
 * @typedef {object} Slide
 * @property {number} board
 * @property {number} square   where it is now
 * @property {number} files    how far to the right it came from
 * @property {number} ranks    how far up it came from
 * @property {boolean} enters  whether it came from outside the board
 */

/**
 * Finds a row of squares that moved by one between two frames: from the square
 * where something was taken to the one where something was put. No game's
 * rules are known here; what does not look like a push slides nothing.
 *
 * @param {Frame} before
 * @param {Frame} after
 * @returns {Slide[]}
 */
export function slides(before, after) {
  const from = after.marks.find((mark) => mark.kind === "from");
  const to = after.marks.find((mark) => mark.kind === "to");
  if (!from || !to || from.board !== to.board || from.squares.length !== 1 || to.squares.length !== 1) return [];
  const board = after.boards[to.board];
  const old = before.boards[to.board];
  if (old.width !== board.width || old.height !== board.height) return [];
  const files = (to.squares[0] % board.width) - (from.squares[0] % board.width);
  const ranks = Math.floor(to.squares[0] / board.width) - Math.floor(from.squares[0] / board.width);
  if ((files === 0) === (ranks === 0)) return [];
  const step = Math.sign(files) + Math.sign(ranks) * board.width;
  const found = [];
  for (let square = from.squares[0]; square !== to.squares[0]; square += step) {
    if (board.cells[square] !== old.cells[square + step]) return [];
    found.push({ board: to.board, square, files: Math.sign(files), ranks: Math.sign(ranks), enters: false });
  }
  found.push({ board: to.board, square: to.squares[0], files: Math.sign(files), ranks: Math.sign(ranks), enters: true });
  return found;
}
