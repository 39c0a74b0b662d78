// Tests of the page's pure functions, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { slides } from "../../crates/report/src/page/slide.js";
import { clock, grouped, score, squareLabel, time } from "../../crates/report/src/page/words.js";

function check(function_, cases) {
  for (const [input, expected] of cases) assert.equal(function_(input), expected);
}

test("numbers are short and grouped", () => {
  check(grouped, [[0, "0"], [999, "999"], [1000, "1,000"], [1234567, "1,234,567"]]);
  check(time, [[420, "0.4 ms"], [1_999, "1 ms"], [9_999_000, "9,999 ms"], [12_340_000, "12.3 s"]]);
  check(clock, [[9_840, "9.8 s"], [65_000, "1:05"], [600_000, "10:00"]]);
  check(score, [[31, "+0.31"], [-150, "\u22121.50"], [0, "+0.00"]]);
});

/** Returns a frame with one board of these cells and this last move. */
function frame(width, cells, from, to) {
  const marks = from === undefined ? [] : [["from", from], ["to", to]].map(([kind, square]) => ({ kind, board: 0, squares: [square] }));
  return { boards: [{ title: null, width, height: cells.length / width, cells }], marks };
}

test("a push is recognised by its picture", () => {
  const before = frame(3, [1, 2, 0, 0, 0, 0, 0, 0, 0]);
  const pushed = slides(before, frame(3, [2, 0, 1, 0, 0, 0, 0, 0, 0], 0, 2));
  assert.deepEqual(pushed.map(({ square, files, ranks, enters }) => [square, files, ranks, enters]), [
    [0, 1, 0, false],
    [1, 1, 0, false],
    [2, 1, 0, true],
  ]);
});

test("other moves slide nothing", () => {
  const before = frame(3, [1, 2, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(slides(before, frame(3, [0, 2, 1, 0, 0, 0, 0, 0, 0], 0, 2)), [], "a jump");
  assert.deepEqual(slides(before, frame(3, [0, 2, 0, 0, 1, 0, 0, 0, 0], 0, 4)), [], "not along a line");
  assert.deepEqual(slides(before, frame(3, [1, 2, 0, 0, 1, 0, 0, 0, 0])), [], "a drop");
});

test("a square's label has its content and its last change", () => {
  const film = {
    cells: [
      { fill: null, piece: null },
      { fill: "r", piece: { symbol: "7", side: 0, tint: "b", pointer: { kind: "dot", direction: "north" }, level: 2 } },
    ],
  };
  const shown = frame(3, [0, 1, 0, 0, 0, 0, 0, 0, 0], 0, 1);
  assert.equal(squareLabel(film, shown, 0, 0), "a1, empty, taken here");
  assert.equal(squareLabel(film, shown, 0, 1), "b1, 7 blue points north level 2 on red, put here");
  assert.equal(squareLabel(film, shown, 0, 5), "c2, empty");
});
