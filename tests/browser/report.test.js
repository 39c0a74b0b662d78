// Tests of a league's report in a real browser, opened from a file.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { linesman, start, violations } from "./browser.js";

const OPENINGS = ["c1c5", "b1b5"];
const BOTS = ["alphabeta", "a-bot-with-a-name-of-forty-letters-in-all", "greedy", "random", "shell-random"];

let browser;
let folder;
let address;
let forty;
let many;
before(async () => {
  browser = await start();
  folder = mkdtempSync(join(tmpdir(), "linesman-report-"));
  const openings = `[openings]\nlist = ${JSON.stringify(OPENINGS)}\norder = "sequential"\n`;
  address = page("cup", BOTS.map((name) => name.slice(0, 40)), 2, openings, games());
  const names = Array.from({ length: 40 }, (_, bot) => `a-bot-with-a-long-name-${bot}`);
  forty = page("forty", names, 2, "", [...meetings(names, 1), ...meetings(names, 2)]);
  const all = Array.from({ length: 230 }, (_, bot) => `bot${bot}`);
  many = page("many", all, 1, "", meetings(all.slice(0, 30), 1));
});

/** Writes the page of a league with these games and returns its address. */
function page(name, names, rounds, openings, records) {
  const run = join(folder, name);
  mkdirSync(run);
  const bots = names.map((bot) => `[[bots]]\nname = "${bot}"\ncommand = "linesman bot random"\n`);
  const plan = `version = 1\ngame = "quixo"\nrounds = ${rounds}\nmovetime = "1s"\n${openings}\n${bots.join("\n")}`;
  writeFileSync(join(run, "tournament.toml"), plan);
  writeFileSync(join(run, "games.jsonl"), records.map((game) => `${JSON.stringify(game)}\n`).join(""));
  const file = join(folder, `${name}.html`);
  linesman("league", "report", run, "--format", "html", "--out", file);
  return pathToFileURL(file).href;
}

/** Returns a round-robin with all kinds of results, except that two bots do not meet. */
function meetings(names, round) {
  const list = [];
  names.forEach((first, one) => {
    names.forEach((second, other) => {
      if (one === other || one + other === 1) return;
      const luck = ((31 * one + 17 * other + 13 * round) ** 2 >> 3) % 5;
      list.push({
        v: 1,
        id: `${first}~${second}~${round}`,
        game: "quixo",
        seats: [{ name: first }, { name: second }],
        places: luck === 0 ? [1, 1] : luck > 2 ? [2, 1] : [1, 2],
        reason: "line",
      });
    });
  });
  return list;
}
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** Returns all games of a league, most of them won by the better bot. */
function games() {
  const names = BOTS.map((name) => name.slice(0, 40));
  const list = [];
  for (const round of [1, 2]) {
    names.forEach((first, one) => {
      names.forEach((second, other) => {
        if (one === other) return;
        const number = list.length;
        const places = number % 7 === 0 ? [1, 1] : one < other || number % 5 === 0 ? [1, 2] : [2, 1];
        const failed = places[1] === 2 && number % 4 === 0;
        list.push({
          v: 1,
          id: `${first}~${second}~${round}`,
          game: "quixo",
          seats: [{ name: first }, { name: second }],
          opening: { moves: [OPENINGS[round - 1]] },
          moves: Array.from({ length: 10 + (number % 9) }, (_, ply) => `m${number}.${ply}`),
          times_us: Array.from({ length: 10 + (number % 9) }, (_, ply) => 1_000 * ply),
          places,
          reason: failed ? "failure" : places[1] === 1 && places[0] === 1 ? "repetition" : "line",
          faults: failed ? [{ seat: 2, fault: "time" }] : [],
        });
      });
    });
  }
  return list;
}

for (const scheme of ["light", "dark"]) {
  for (const width of [390, 1280]) {
    test(`it has no errors in ${scheme}, ${width} pixels wide`, async () => {
      const opened = await browser.open(address, { scheme, width });
      const { page } = opened;
      assert.deepEqual(await violations(page), []);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `the page is ${overflow} pixels wider than the window`);
      const shown = await page.locator("figure svg:visible").evaluateAll((plots) => plots.map((plot) => plot.classList[1]));
      const kind = width < 640 ? "narrow-plot" : "wide-plot";
      assert.deepEqual(shown, [kind, kind, kind]);
      const smallest = await page.locator("figure svg:visible text").evaluateAll((texts) =>
        Math.min(...texts.map((text) => text.getBoundingClientRect()).filter((box) => box.width > 0).map((box) => Math.min(box.height, 99))),
      );
      assert.ok(smallest >= 12, `a text of a plot is ${smallest} pixels high`);
      opened.check();
      await opened.close();
    });
  }
}

test("tables have captions, and each cell has row and column headers", async () => {
  const opened = await browser.open(address);
  const tables = await opened.page.locator("table").evaluateAll((all) =>
    all.map((table) => ({
      caption: table.caption?.textContent ?? "",
      columns: [...table.tHead.rows[0].cells].every((cell) => cell.scope === "col"),
      rows: [...table.tBodies[0].rows].every((row) => row.querySelectorAll("th[scope=row]").length === 1),
    })),
  );
  assert.equal(tables.length, 8);
  for (const { caption, columns, rows } of tables) assert.ok(caption.length > 10 && columns && rows, caption);
  opened.check();
  await opened.close();
});

test("the links lead to the parts", async () => {
  const opened = await browser.open(address);
  const targets = await opened.page.locator("nav a").evaluateAll((links) =>
    links.map((link) => document.getElementById(link.hash.slice(1))?.querySelector("h2")?.textContent === link.textContent),
  );
  assert.deepEqual(targets, Array(9).fill(true), "eight parts and the notes");
  await opened.close();
});

for (const width of [400, 1200, 1920]) {
  test(`a section is wider than the others only if its table needs it, ${width} pixels wide`, async () => {
    let widened = 0;
    for (const league of [address, forty, many]) {
      const opened = await browser.open(league, { width });
      const sections = await opened.page.locator("main > section").evaluateAll((all) =>
        all.map((section) => {
          const { left, right, width } = section.getBoundingClientRect();
          const title = section.querySelector("h2").getBoundingClientRect().left - left;
          const around = width - section.querySelector("details").getBoundingClientRect().width;
          const tables = [...section.querySelectorAll("table")].map((table) => {
            table.style.minWidth = "0";
            table.style.width = "max-content";
            return table.getBoundingClientRect().width;
          });
          return { id: section.id, left, right, width, title, needed: Math.max(0, ...tables) + around };
        }),
      );
      const column = await opened.page.locator("nav").evaluate((nav) => nav.getBoundingClientRect().width);
      for (const { id, left, right, width: own, title, needed } of sections) {
        const room = Math.min(Math.max(column, needed), width - 2 * left);
        assert.ok(Math.abs(own - room) < 1, `${id} is ${own} pixels wide, its table needs ${needed}`);
        assert.ok(left >= 0 && right <= width, `${id} is in the window`);
        assert.equal(title, sections[0].title, `the title of ${id}`);
        if (own > column) widened += 1;
      }
      opened.check();
      await opened.close();
    }
    assert.equal(widened > 0, width > 400, "the table of forty is wider where there is room");
  });
}

test("captions take one line if there is room", async () => {
  const opened = await browser.open(many);
  const heights = await opened.page.locator("caption").evaluateAll((all) => all.map((caption) => caption.offsetHeight));
  assert.ok(heights.every((height) => height < 36), `${heights}`);
  opened.check();
  await opened.close();
});

for (const scheme of ["light", "dark"]) {
  test(`a crosstable of forty can be read in ${scheme}`, async () => {
    const opened = await browser.open(forty, { scheme, width: 1366, height: 768 });
    const { page } = opened;
    assert.deepEqual(await violations(page), []);
    const seen = await page.evaluate(() => {
      const table = document.querySelector("#crosstable table");
      const region = table.parentElement;
      /** Returns the lightness of a colour, from 0 to 255. */
      const light = (cell) => {
        const [red, green, blue] = getComputedStyle(cell).backgroundColor.match(/\d+/g).map(Number);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const cell = (kind) => table.querySelector(`td.${kind}`);
      const rows = [...table.tBodies[0].rows];
      region.scrollTo(0, 0);
      const before = rows[5].querySelector("th").getBoundingClientRect().left;
      region.scrollTo(region.scrollWidth, 0);
      const after = rows[5].querySelector("th").getBoundingClientRect().left;
      const head = table.tHead.rows[0].cells[9];
      region.scrollTo(0, 400);
      return {
        rows: rows.length,
        widest: Math.max(...[...rows[5].querySelectorAll("td")].map((own) => own.offsetWidth)),
        room: region.clientWidth,
        lights: ["lost", "behind", "even", "ahead", "won"].map((kind) => light(cell(kind))),
        diagonal: rows.every((row, index) => row.cells[index + 2].className === "itself"),
        unmet: rows.flatMap((row) => [...row.querySelectorAll(".unmet")]).length,
        stays: before === after,
        headStays: Math.abs(head.getBoundingClientRect().top - region.getBoundingClientRect().top) < 2,
        name: rows[5].querySelector("th").title,
        hint: document.querySelector("#crosstable .hint").textContent,
      };
    });
    assert.equal(seen.rows, 40);
    assert.ok(seen.widest <= 34, `a cell is ${seen.widest} pixels wide`);
    assert.ok(seen.room > 1250, `the table has ${seen.room} of 1366 pixels`);
    const steps = seen.lights.slice(1).map((own, index) => own - seen.lights[index]);
    assert.ok(steps.every((step) => step > 9) || steps.every((step) => step < -9), `${seen.lights}`);
    assert.ok(seen.diagonal && seen.stays && seen.headStays, JSON.stringify(seen));
    assert.equal(seen.unmet, 2);
    assert.match(seen.name, /^a-bot-with-a-long-name-\d+$/);
    assert.match(seen.hint, /scrolls sideways/);
    opened.check();
    await opened.close();
  });
}

test("the standings come first, then the words", async () => {
  const opened = await browser.open(forty);
  const sections = await opened.page.locator("main > section").evaluateAll((all) => all.map((section) => section.id));
  assert.deepEqual(sections.slice(0, 3), ["standings", "words", "seats"]);
  opened.check();
  await opened.close();
});

test("long tables are folded after their first rows, and sections can be folded", async () => {
  const opened = await browser.open(many);
  const { page } = opened;
  assert.deepEqual(await violations(page), []);
  const rows = () => page.locator("#standings tbody tr:visible").count();
  assert.equal(await rows(), 100);
  await page.locator("#standings summary", { hasText: "Rows 201 to 230" }).click();
  assert.equal(await rows(), 130);
  await page.locator("#standings > details > summary").click();
  assert.equal(await rows(), 0);
  opened.check();
  await opened.close();
});
