// Tests of the replay page in a real browser, opened from a file.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { RECORDS, linesman, rows, standing, start, violations } from "./browser.js";

/** Games by their numbers in the records. */
const [LINE, LATE, HOSTILE, CLOCKS] = [1, 2, 3, 4];

let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

/** Opens a game's page, passes it to a function, and checks that it had no errors. */
async function onPage(game, options, look) {
  const opened = await browser.open(browser.write(game) + (options.hash ?? ""), options);
  await look(opened.page);
  opened.check();
  await opened.close();
}

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

test("the right arrow steps through the game, position by position", async () => {
  const game = JSON.parse(linesman("replay", RECORDS, "--game", String(LINE), "--json"));
  await onPage(LINE, {}, async (page) => {
    for (const { ply, token, move } of game.plies) {
      const now = await standing(page);
      assert.equal(now.ply, ply);
      assert.equal(now.current, move ?? "Start");
      assert.equal(await rows(page), token.split(":")[0], `the board after ply ${ply}`);
      await press(page, "ArrowRight");
    }
    assert.equal((await standing(page)).ply, game.plies.length - 1, "the end is the end");
    await press(page, "ArrowLeft");
    assert.equal(await rows(page), game.plies.at(-2).token.split(":")[0]);
  });
});

test("moves are announced, and at the end the verdict", async () => {
  await onPage(LINE, {}, async (page) => {
    assert.equal((await standing(page)).spoken, "Start. greedy moves first.");
    const region = page.locator("#spoken");
    assert.equal(await region.getAttribute("aria-live"), "polite");
    await press(page, "ArrowRight");
    assert.equal((await standing(page)).spoken, "Move 1 of 26: greedy plays e4e1 in 86 ms.");
    assert.equal((await standing(page)).verdict, "");
    await press(page, "End");
    const end = await standing(page);
    const verdict = "alphabeta won by a line in 26 plies: alphabeta has made a full line of o: b1 to b5";
    assert.equal(end.verdict, verdict);
    assert.deepEqual(await page.locator("#verdict code").allTextContents(), ["o"]);
    assert.match(end.spoken, /^Move 26 of 26: /);
    assert.ok(end.spoken.endsWith(` ${verdict}.`), end.spoken);
    await press(page, "Home");
    assert.equal((await standing(page)).ply, 0);
  });
});

test("the deciding line is in the squares' labels, not only in colours", async () => {
  await onPage(LINE, { hash: "#26" }, async (page) => {
    const labels = await page.locator("[role=gridcell]").evaluateAll((cells) => cells.map((cell) => cell.ariaLabel));
    assert.equal(labels.filter((label) => label.includes("in the line")).length, 5);
    assert.ok(labels.includes("a5, o, put here"), labels.join("; "));
    assert.ok(labels.includes("c5, x, taken here"), labels.join("; "));
    assert.equal(await page.locator("svg .line:not(.halo)").count(), 1);
  });
});

test("Space plays to the end and stops there, s increases the speed", async () => {
  await onPage(CLOCKS, { clock: true }, async (page) => {
    await press(page, "Space");
    await page.clock.runFor(2_000);
    assert.equal((await standing(page)).ply, 2);
    await press(page, "Space");
    await page.clock.runFor(5_000);
    assert.equal((await standing(page)).ply, 2, "stopped");
    await press(page, "s", "Space");
    await page.clock.runFor(1_000);
    assert.equal((await standing(page)).ply, 4, "twice as fast");
    await page.clock.runFor(60_000);
    assert.match((await standing(page)).verdict, /^ada won by a line in 29 plies: ada has made a full line /);
    assert.equal(await page.locator("#play").getAttribute("aria-label"), "Play");
    await press(page, "Space");
    assert.equal((await standing(page)).ply, 0, "from the start again");
  });
});

test("a manual step ends the autoplay", async () => {
  await onPage(LINE, { clock: true }, async (page) => {
    await press(page, "Space");
    await page.clock.runFor(3_000);
    await press(page, "ArrowLeft");
    await page.clock.runFor(10_000);
    assert.equal((await standing(page)).ply, 2);
  });
});

test("f turns the board", async () => {
  await onPage(LINE, { hash: "#3" }, async (page) => {
    const turned = (text) => [...text].reverse().join("");
    const usual = await rows(page);
    await press(page, "f");
    assert.equal(await rows(page), turned(usual));
    assert.equal(await page.locator("#turn").getAttribute("aria-pressed"), "true");
    await press(page, "f");
    assert.equal(await rows(page), usual);
  });
});

test("? shows the keys, and nothing moves behind the dialog", async () => {
  await onPage(LINE, {}, async (page) => {
    await press(page, "?");
    assert.ok(await page.locator("#help").isVisible());
    await press(page, "ArrowRight", "End");
    assert.equal((await standing(page)).ply, 0);
    await press(page, "Escape");
    assert.ok(!(await page.locator("#help").isVisible()));
    await press(page, "ArrowRight");
    assert.equal((await standing(page)).ply, 1);
  });
});

test("keys have no effect in text fields, or with Ctrl or Alt", async () => {
  await onPage(LINE, {}, async (page) => {
    await page.evaluate(() => document.body.prepend(document.createElement("input")));
    await page.locator("body > input").focus();
    await page.keyboard.type("f ?");
    await press(page, "ArrowRight", "End");
    assert.equal(await page.locator("body > input").inputValue(), "f ?");
    await page.locator("body > input").evaluate((input) => input.remove());
    await press(page, "Control+ArrowRight", "Alt+ArrowRight");
    const now = await standing(page);
    assert.deepEqual([now.ply, await page.locator("#help").isVisible()], [0, false]);
  });
});

test("buttons, slider and list do what the keys do", async () => {
  await onPage(LINE, {}, async (page) => {
    const ply = async () => (await standing(page)).ply;
    await page.getByRole("button", { name: "One ply forward" }).click();
    assert.equal(await ply(), 1);
    await page.getByRole("button", { name: "Last position" }).click();
    assert.equal(await ply(), 26);
    await page.getByRole("button", { name: "One ply back" }).click();
    assert.equal(await ply(), 25);
    await page.getByRole("slider", { name: "Ply" }).fill("9");
    assert.equal(await ply(), 9);
    await page.locator("#moves a", { hasText: "d1d5" }).first().click();
    assert.equal((await standing(page)).current, "d1d5");
    await press(page, "ArrowRight");
    const focused = await page.evaluate(() => document.activeElement.getAttribute("aria-current"));
    assert.equal(focused, "step", "the focus goes along in the list");
  });
});

test("the address sets the ply and follows it", async () => {
  await onPage(LINE, { hash: "#7" }, async (page) => {
    assert.equal((await standing(page)).ply, 7);
    await press(page, "ArrowRight");
    assert.equal((await standing(page)).hash, "#8");
    await page.evaluate(() => {
      location.hash = "#12";
    });
    await page.waitForFunction(() => document.getElementById("slider").value === "12");
    await page.evaluate(() => {
      location.hash = "#9999";
    });
    await page.waitForFunction(() => location.hash === "#26");
    assert.match((await standing(page)).verdict, /^alphabeta won by a line in 26 plies: /);
  });
  await onPage(LINE, { hash: "#nonsense" }, async (page) => {
    assert.equal((await standing(page)).ply, 0);
  });
});

test("on the board arrow keys move from square to square", async () => {
  await onPage(LINE, {}, async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    await page.locator("[role=gridcell][tabindex='0']").focus();
    assert.equal(await focused(), "a5, empty");
    await press(page, "ArrowDown", "ArrowRight");
    assert.equal(await focused(), "b4, empty");
    await press(page, "ArrowLeft", "ArrowLeft");
    assert.equal(await focused(), "a4, empty", "the rim holds");
    assert.equal((await standing(page)).ply, 0);
    await press(page, ".", ".");
    assert.equal((await standing(page)).ply, 2);
    assert.equal(await focused(), "a4, empty, taken here", "the focus stays on its square");
  });
});

test("times, clocks and bots' messages are shown", async () => {
  await onPage(LINE, { hash: "#2" }, async (page) => {
    const said = await page.locator("#said").innerText();
    for (const text of ["alphabeta said", "+0.02", "27,167", "a4a5", "e5a5"]) assert.ok(said.includes(text), said);
    assert.ok((await page.locator("#moves").innerText()).includes("267 ms"));
    await press(page, "Home");
    assert.match(await page.locator("#players").innerText(), /greedy\s+Greedy 1\.2\s+to move/);
  });
  await onPage(CLOCKS, { hash: "#2" }, async (page) => {
    assert.match(await page.locator("#players").innerText(), /10\.0 s/);
  });
});

test("a failure is shown with its evidence", async () => {
  await onPage(LATE, {}, async (page) => {
    assert.ok(!(await page.locator("#faults").isVisible()), "not before the end");
    await press(page, "End");
    assert.equal((await standing(page)).verdict, "sleepy lost on time: 1,062 ms (limit 1,000 ms + 50 ms)");
    await page.locator("summary", { hasText: "It printed instead of an answer" }).click();
    assert.ok((await page.locator("#faults pre").innerText()).includes("ValueError: no move"));
  });
});

test("texts of bots are never markup", async () => {
  await onPage(HOSTILE, {}, async (page) => {
    const ply = async () => (await standing(page)).ply;
    for (let step = 0; step <= 6; step += 1) {
      assert.equal(await ply(), step);
      assert.equal(await page.locator("img, iframe, script:not([type]), i, b").count(), 0);
      await press(page, "ArrowRight");
    }
    assert.ok((await page.locator("#said blockquote").innerText()).includes("<b>I win</b> </script>"));
    await page.locator("summary", { hasText: "stderr" }).click();
    assert.ok((await page.locator("#faults").innerText()).includes("<!-- --!>"));
    assert.equal(await page.title(), "honest – <img src=x onerror=alert(1)>");
  });
});

test("the page's policy blocks all requests", async () => {
  const opened = await browser.open(browser.write(LINE));
  const refused = await opened.page.evaluate(async () => {
    const seen = [];
    document.addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
    const script = document.createElement("script");
    script.textContent = "document.title = 'owned'";
    document.body.append(script);
    const button = document.createElement("button");
    button.setAttribute("onclick", "document.title = 'owned'");
    document.body.append(button);
    button.click();
    await fetch("http://127.0.0.1:9/").catch(() => {});
    const image = document.createElement("img");
    const failed = new Promise((resolve) => image.addEventListener("error", resolve));
    image.src = "http://127.0.0.1:9/x.png";
    document.body.append(image);
    await failed;
    return { seen: [...new Set(seen)].sort(), title: document.title };
  });
  assert.deepEqual(refused.seen, ["connect-src", "img-src", "script-src-attr", "script-src-elem"]);
  assert.equal(refused.title, "greedy – alphabeta");
  await opened.close();
});

for (const scheme of ["light", "dark"]) {
  test(`axe finds nothing in ${scheme}`, async () => {
    for (const [game, keys] of [
      [LINE, []],
      [LINE, ["ArrowRight", "ArrowRight"]],
      [LINE, ["End"]],
      [LINE, ["?"]],
      [HOSTILE, ["End"]],
      [CLOCKS, ["ArrowRight", "f"]],
    ]) {
      await onPage(game, { scheme }, async (page) => {
        await press(page, ...keys);
        assert.deepEqual(await violations(page), [], `game ${game} after ${keys.join(" ")}`);
      });
    }
    await onPage(LATE, { scheme, width: 390, height: 844, hash: "#11" }, async (page) => {
      assert.deepEqual(await violations(page), [], "on a phone");
    });
  });
}

test("pieces slide only if motion is not to be reduced", async () => {
  const moving = (page) => page.evaluate(() => document.getAnimations().length);
  // Pieces are stopped where they start, because they could arrive before they are counted.
  const hold = (page) =>
    page.evaluate(() => {
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...how) {
        const animation = animate.apply(this, how);
        animation.pause();
        return animation;
      };
    });
  await onPage(LINE, { motion: "reduce" }, async (page) => {
    await hold(page);
    await press(page, "ArrowRight");
    assert.equal(await moving(page), 0);
    await press(page, "End");
    assert.equal(await moving(page), 0);
  });
  await onPage(LINE, { motion: "no-preference" }, async (page) => {
    await hold(page);
    await press(page, "ArrowRight");
    assert.equal(await moving(page), 4, "e4e1 moves four squares");
  });
});

/** Gives all moves of a game this text and this time. */
function moves(text, time_us) {
  return (film) => film.frames.slice(1).forEach(({ played }) => Object.assign(played, { text, time_us }));
}

test("every move and its time are in their cell", async () => {
  const slow = [9_999_000, 12_345_000_000];
  for (const [text, time_us] of [["e4e1", slow[0]], ["a9a10", 267_000], ["a9a10", slow[1]], ["b2b3/a3r", 100]]) {
    const address = browser.redrawn(LINE, moves(text, time_us));
    for (const width of [361, 400, 901, 1200, 1920]) {
      const opened = await browser.open(`${address}#6`, { width });
      const cells = await opened.page.evaluate(() => {
        const list = document.querySelector(".list").getBoundingClientRect();
        return [...document.querySelectorAll(".move:not(.start)")].map((move) => {
          const cell = move.getBoundingClientRect();
          const parts = [...move.querySelectorAll(".chip, .text, .took")].map((part) => part.getBoundingClientRect());
          const inside = (inner, outer) => inner.left >= outer.left && inner.right <= outer.right + 0.1;
          // What does not fit lies below the cell, which hides it.
          const hides = getComputedStyle(move).overflow === "hidden";
          const shown = parts.filter((part) => !hides || part.top < cell.bottom);
          return {
            fits: inside(cell, list) && shown.every((part) => inside(part, cell)),
            apart: shown.every((part, index) => index === 0 || shown[index - 1].right <= part.left),
            hidden: parts.length - shown.length,
          };
        });
      });
      const where = `${text} in ${time_us} us, ${width} pixels wide`;
      assert.equal(cells.length, 26);
      assert.ok(cells.every(({ fits, apart }) => fits && apart), where);
      if (width >= 400) assert.ok(cells.every(({ hidden }) => hidden === 0), `${where}: no time is hidden`);
      opened.check();
      await opened.close();
    }
  }
});

test("nothing overflows at any width", async () => {
  for (const width of [320, 390, 768, 1024, 1600]) {
    for (const game of [LINE, HOSTILE]) {
      await onPage(game, { width, height: 800 }, async (page) => {
        await press(page, "End");
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(over <= 0, `${over} pixels too wide at ${width}`);
      });
    }
  }
});

/** A board of three by three hexagons with edges of two sides, a stone of each, and a line. */
function hexagons(film) {
  const stone = (symbol, side) => ({ fill: null, piece: { symbol, side, tint: null, pointer: null, level: null } });
  film.cells = [{ fill: null, piece: null }, stone("x", 0), stone("o", 1)];
  const edges = ["north", "south", "east", "west"].map((at, index) => ({ at, side: index < 2 ? 0 : 1 }));
  const board = { title: null, width: 3, height: 3, cells: [1, 0, 0, 0, 0, 2, 0, 0, 0], shape: "hexagons", edges };
  const marks = [
    { kind: "to", board: 0, squares: [0] },
    { kind: "line", board: 0, squares: [5] },
  ];
  for (const frame of film.frames) Object.assign(frame, { boards: [board], marks });
}

/** A board of four by four squares in groups of two by two. */
function groups(film) {
  film.cells = [1, 2, 3, 4].map((group) => ({ fill: null, piece: null, group }));
  const cells = Array.from({ length: 16 }, (_, square) => 2 * Math.floor(square / 8) + Math.floor((square % 4) / 2));
  for (const frame of film.frames) {
    Object.assign(frame, { boards: [{ title: null, width: 4, height: 4, cells }], marks: [] });
  }
}

/** Returns the bounding box of each element in the picture. */
function boxes(page, selector) {
  return page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBBox();
      return { left: x, top: y, right: x + width, bottom: y + height };
    }),
  );
}

test("hexagons are shifted from row to row, and edges show their side", async () => {
  const opened = await browser.open(browser.redrawn(LINE, hexagons));
  const { page } = opened;
  for (const turned of [false, true]) {
    if (turned) await press(page, "f");
    const cells = await boxes(page, "polygon.square");
    assert.equal(cells.length, 9);
    assert.equal(await page.locator("polygon.mark.to").count(), 1);
    // a1 and a2, whose cells touch: a2 is half a cell to the right of a1, or to the left if the board is turned.
    const shift = Math.round(cells[3].left - cells[0].left);
    assert.equal(shift, turned ? -50 : 50);
    const edges = await boxes(page, "polyline.edge");
    assert.equal(edges.length, 4);
    const board = await page.locator("#boards svg").evaluate((svg) => svg.viewBox.baseVal.width);
    for (const { left, right } of [...cells, ...edges]) assert.ok(left >= 0 && right <= board);
    const [north, south] = edges;
    assert.ok(turned ? north.top > south.bottom : north.bottom < south.top, "the edges lie on their sides");
  }
  assert.equal(await page.locator("[role=gridcell]").count(), 9);
  opened.check();
  await opened.close();
});

test("a thick border separates groups of squares", async () => {
  const opened = await browser.open(browser.redrawn(LINE, groups));
  const borders = await boxes(opened.page, "polyline.group");
  // Four squares have a border to the right, four above.
  assert.equal(borders.filter(({ left, right }) => left === right).length, 4);
  assert.equal(borders.filter(({ top, bottom }) => top === bottom).length, 4);
  opened.check();
  await opened.close();
});

test("an analysis of a move is in the list, next to the board, and announced", async () => {
  const marked = browser.redrawn(LINE, (film) => {
    film.frames[19].played.remark = { sign: "??", text: "Blunder: <b>costs</b> 23 %" };
  });
  const opened = await browser.open(`${marked}#19`);
  const { page } = opened;
  assert.equal(await page.locator("#moves .remark").allTextContents().then((signs) => signs.join()), "??");
  assert.equal(await page.locator("#said .analysis").textContent(), "Blunder: <b>costs</b> 23 %");
  assert.ok((await standing(page)).spoken.endsWith(" Blunder: <b>costs</b> 23 %."));
  assert.deepEqual(await violations(page), []);
  await press(page, "ArrowRight");
  assert.equal(await page.locator("#said .analysis").count(), 0);
  opened.check();
  await opened.close();
});
