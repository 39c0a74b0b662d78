// Tests of the JavaScript rules, in Node.js and in a browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import init, { Game, LinesmanError, games } from "../../target/bindings/javascript/linesman.js";

const folder = fileURLToPath(new URL("../../target/bindings/javascript/", import.meta.url));
const line = "a1a3 c1c3 a1a3 c1c3 a1a3".split(" ");

/** Returns the error of a call. */
function mistake(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail("nothing goes wrong");
}

test("before the rules are loaded, a game says what to do", () => {
  assert.throws(() => new Game("quixo"), /the rules are not loaded: `await init\(\)` first/);
});

test("loading can be retried after an invalid module", async () => {
  await assert.rejects(init(new Uint8Array([1, 2, 3])), WebAssembly.CompileError);
  await init(readFileSync(join(folder, "linesman.wasm")));
  await init();
});

test("every game can be played to its end", () => {
  for (const name of games()) {
    const position = new Game(name).start();
    for (let number = 1; !position.isOver; number += 1) {
      assert.equal(position.outcome, null);
      const legal = position.legal();
      position.play(legal[(number * 7919) % legal.length]);
    }
    assert.deepEqual(position.legal(), []);
    assert.equal(position.outcome.places.length, position.game.seats);
    assert.equal(position.moves.length, position.ply);
  }
});

test("a game describes itself", () => {
  const game = new Game("quixo-teams", { consultation: true });
  assert.deepEqual([game.name, game.title, game.seats], ["quixo-teams", "Quixo for teams", 4]);
  assert.deepEqual(game.sides, [0, 1, 0, 1]);
  assert.deepEqual(game.options, { max_plies: 200, repetition: 3, consultation: true });
  assert.match(game.page, /^# Quixo/);
});

test("an outcome has places and a reason", () => {
  const { outcome } = new Game("quixo", { size: 3 }).replay(line);
  assert.deepEqual([outcome.places, outcome.scores, outcome.reason], [[1, 2], [1, 0], "line"]);
  assert.equal(outcome.why, "seat 1 has made a full line of `x`: a1 to a3");
  assert.deepEqual(outcome.marks, [{ kind: "line", board: 0, squares: ["a1", "a2", "a3"], side: 0 }]);
});

test("mistakes are named in the words of the rules", () => {
  const game = new Game("quixo");
  const position = game.start();
  position.play("a1a5");
  for (const [kind, call, words] of [
    ["NoSuchGame", () => new Game("chess"), /there is no game `chess`; the games are `quixo`/],
    ["BadOption", () => new Game("quixo", { size: 9 }), /`size` can't be `9`: it must be 3 to 8/],
    ["BadOption", () => new Game("quixo", { sice: 4 }), /no option `sice`; the options are `size`/],
    ["NotAPosition", () => game.fromToken("x"), /1 of 3 fields/],
    ["NotAMove", () => position.play("up"), /a move is two squares/],
    ["IllegalMove", () => position.play("c3c5"), /border/],
    ["NoSuchSeat", () => position.observe(3), /there is no seat 3: the seats are 1 to 2/],
  ]) {
    const error = mistake(call);
    assert.ok(error instanceof LinesmanError);
    assert.equal(error.name, kind);
    assert.match(error.message, words);
  }
  assert.equal(mistake(() => position.play("c3c5")).rule, "not-border");
  assert.match(mistake(() => new Game("quixo", { size: 3 }).fromToken("x../..q/...:2:1")).place, /row 2/);
  assert.match(position.explain("c3c5"), /border/);
  assert.equal(position.explain("b1b5"), null);
  assert.deepEqual(position.moves, ["a1a5"], "a move that is refused changes nothing");
});

test("copies are independent", () => {
  const position = new Game("kengu").start();
  const copy = position.copy();
  copy.play("a1r");
  assert.deepEqual([position.ply, copy.ply], [0, 1]);
});

test("a seat can be eliminated from a game of three", () => {
  const position = new Game("tandem", { players: 3 }).start();
  position.play("!2");
  assert.match(position.token, /!2$/);
  assert.match(position.explain("!3"), /only two sides are left/);
});

test("the mask has the legal moves, and turns of several actions are chosen step by step", () => {
  const allowed = (position, chosen) => {
    const mask = position.mask(chosen);
    return position.game.actions.filter((_, number) => mask[number] === 1);
  };
  const kengu = new Game("kengu").start();
  assert.deepEqual(allowed(kengu).sort(), kengu.legal());
  const tandem = new Game("tandem").start();
  const moves = allowed(tandem).flatMap((first) => allowed(tandem, first).map((second) => first + second));
  assert.deepEqual(moves.sort(), tandem.legal());
});

test("an observer sees its own pieces first", () => {
  const game = new Game("quixo", { size: 3 });
  const position = game.fromToken("x../..o/..x:2:3");
  assert.deepEqual(game.observationShape, [3, 3, 3]);
  assert.deepEqual(
    game.planes.map(({ name }) => name),
    ["own turn", "pieces, own", "pieces, other 1"],
  );
  const seen = [...position.observe(2)];
  assert.deepEqual(seen.slice(0, 9), Array(9).fill(1));
  assert.deepEqual(seen.slice(9, 18), [0, 0, 0, 0, 0, 1, 0, 0, 0]);
});

test("using a freed position is an error", () => {
  const game = new Game("kengu");
  const [kept, freed] = [game.start(), game.start()];
  freed.free();
  freed.free();
  assert.throws(() => freed.token, /the position has been freed/);
  assert.throws(() => freed.play("a1r"), /the position has been freed/);
  assert.equal(kept.ply, 0);
});

test("the programs of the guide print what their comments say", () => {
  const page = readFileSync(new URL("../../docs/how-to/javascript-rules.md", import.meta.url), "utf8");
  const programs = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, program]) => program).join("");
  const program = programs.replace('"linesman"', JSON.stringify(new URL("linesman.js", pathToFileURL(folder)).href));
  const parameters = ["--input-type=module", "--eval", program];
  const printed = execFileSync(process.execPath, parameters, { encoding: "utf8" }).split("\n");
  const expected = [...programs.matchAll(/console\.log\(.*\); +\/\/ (.*)$/gm)].map(([, words]) => words);
  assert.deepEqual(
    printed.filter((text) => expected.includes(text)),
    expected,
  );
});

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

test("a page in a browser plays a game", { skip: !existsSync(executablePath) && "there is no Chromium" }, async () => {
  const types = { ".js": "text/javascript", ".wasm": "application/wasm" };
  const server = createServer((request, response) => {
    const type = types[extname(request.url)];
    response.setHeader("content-type", type ?? "text/html");
    response.end(type === undefined ? "<!doctype html><title>linesman</title>" : readFileSync(join(folder, request.url)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const browser = await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const why = await page.evaluate(async (moves) => {
      const { default: init, Game } = await import("./linesman.js");
      await init();
      return new Game("quixo", { size: 3 }).replay(moves).outcome.why;
    }, line);
    assert.equal(why, "seat 1 has made a full line of `x`: a1 to a3");
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
});
