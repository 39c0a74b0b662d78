// Tests of the replay page of games with more than two seats, in a real browser.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TABLES, standing, start, violations } from "./browser.js";

/** Games by their numbers in the records. */
const [THREE, TEAMS] = [1, 2];

let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

/** Opens a game's page, passes it to a function, and checks that it had no errors. */
async function onPage(game, options, look) {
  const opened = await browser.open(browser.write(game, TABLES) + (options.hash ?? ""), options);
  await look(opened.page);
  opened.check();
  await opened.close();
}

/** Returns the players as shown: name, text below it, state, clock. */
function players(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("#players .player")].map((row) => {
      const text = (part) => row.querySelector(part)?.textContent ?? "";
      return [text(".name"), text(".about"), text(".turn") || text(".place"), text(".clock")].join(" | ");
    }),
  );
}

test("an eliminated seat is shown as such from then on", async () => {
  await onPage(THREE, { hash: "#6" }, async (page) => {
    assert.deepEqual(await players(page), [
      "crash | seat 1 | to move | 0:20",
      "random | seat 2 \u00b7 linesman random 0.1.0 |  | 0:20",
      "greedy | seat 3 \u00b7 linesman greedy 0.1.0 |  | 0:20",
    ]);
    await page.keyboard.press("ArrowRight");
    assert.equal((await standing(page)).spoken, "Move 7 of 19: crash is out of the game.");
    assert.equal((await standing(page)).current, "out");
    const now = await players(page);
    assert.match(now[0], /^crash \| seat 1 \| out \| /);
    assert.match(now[1], /\| to move \| /);
    await page.keyboard.press("End");
    assert.deepEqual((await players(page)).map((row) => row.split(" | ")[2]), ["place 3", "place 2", "place 1"]);
    assert.equal(
      (await standing(page)).verdict,
      "greedy won on points in 18 plies (2nd random, 3rd crash): greedy has scored 3 points; " +
        "crash went out: it exited with status 3",
    );
  });
});

test("a team game is shown by teams", async () => {
  await onPage(TEAMS, { hash: "#15" }, async (page) => {
    assert.equal(await page.textContent("#title"), "thinkers \u2013 mixed");
    assert.deepEqual((await players(page)).map((row) => row.split(" | ").slice(0, 3).join(" | ")), [
      "greedy | seat 1 \u00b7 thinkers \u00b7 linesman greedy 0.1.0 | winner",
      "python-random | seat 2 \u00b7 mixed \u00b7 Random (Python) | lost",
      "alphabeta (seat 3) | seat 3 \u00b7 thinkers \u00b7 linesman alphabeta 0.1.0 | winner",
      "alphabeta (seat 4) | seat 4 \u00b7 mixed \u00b7 linesman alphabeta 0.1.0 | lost",
    ]);
    assert.match((await standing(page)).verdict, /^thinkers won by a line in 15 plies: alphabeta \(seat 3\) has made /);
  });
});

test("the dot of a piece does not touch the frame of a mark", async () => {
  await onPage(TEAMS, { hash: "#3" }, async (page) => {
    const gaps = await page.evaluate(() => {
      const marks = [...document.querySelectorAll("#boards rect.mark")];
      return [...document.querySelectorAll("#boards .dot")].flatMap((dot) => {
        const [x, y, r] = ["cx", "cy", "r"].map((name) => dot[name].baseVal.value);
        return marks.flatMap((mark) => {
          const { x: left, y: top, width, height } = mark.getBBox();
          const inner = Number.parseFloat(getComputedStyle(mark).strokeWidth) / 2;
          const gap = Math.min(x - left, left + width - x, y - top, top + height - y) - r - inner;
          return gap > -width / 2 ? [gap] : [];
        });
      });
    });
    assert.ok(gaps.length > 0 && gaps.every((gap) => gap >= 1), `${gaps}`);
  });
});

test("axe finds no problems for assistive technology", async () => {
  for (const [game, hash] of [[THREE, "#8"], [THREE, "#19"], [TEAMS, "#15"]]) {
    for (const scheme of ["light", "dark"]) {
      await onPage(game, { hash, scheme }, async (page) => assert.deepEqual(await violations(page), []));
    }
  }
});

test("four players and long moves fit a phone", async () => {
  for (const game of [THREE, TEAMS]) {
    await onPage(game, { hash: "#12", width: 360, height: 740 }, async (page) => {
      const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= seen, `${wide} of ${seen}`);
    });
  }
});
