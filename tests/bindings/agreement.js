// Replays random games written by the Rust rules, and compares everything.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import init, { Game } from "../../target/bindings/javascript/linesman.js";

/** Returns the number of moves and the digest of their texts. */
function digest(moves) {
  return [moves.length, createHash("sha256").update(moves.join(" ")).digest("hex").slice(0, 16)];
}

/** Returns the objection to a move. */
function refusal(position, text) {
  const copy = position.copy();
  try {
    copy.play(text);
  } catch (error) {
    return [text, error.rule, error.message];
  } finally {
    copy.free();
  }
  return null;
}

/** Replays one game and returns its number of plies. */
function replay({ game, options, start, plies, outcome }) {
  const setup = new Game(game, options);
  const position = start === null ? setup.start() : setup.fromToken(start);
  for (const step of plies) {
    if (step.move !== null) position.play(step.move);
    const { token, seat, ply } = position;
    const own = {
      move: step.move,
      token,
      seat,
      ply,
      legal: digest(position.legal()),
      refused: refusal(position, step.refused[0]),
    };
    assert.deepEqual(own, step, `${game} ${JSON.stringify(options)}`);
  }
  const { marks, ...own } = position.outcome;
  position.free();
  assert.deepEqual({ ...own, lines: marks.map(({ squares }) => squares) }, outcome);
  return plies.length - 1;
}

await init();
let [games, plies] = [0, 0];
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  plies += replay(JSON.parse(line));
  games += 1;
}
console.log(`JavaScript agrees with Rust on ${plies} plies of ${games} games`);
