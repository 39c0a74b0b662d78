// The report of a league in a real browser, from a file.

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
before(async () => {
  browser = await start();
  folder = mkdtempSync(join(tmpdir(), "linesman-report-"));
  const run = join(folder, "cup");
  mkdirSync(run);
  const bots = BOTS.map((name) => `[[bots]]\nname = "${name.slice(0, 40)}"\ncommand = "linesman bot random"\n`);
  const openings = `[openings]\nlist = ${JSON.stringify(OPENINGS)}\norder = "sequential"\n`;
  const plan = `version = 1\ngame = "quixo"\nrounds = 2\nmovetime = "1s"\n${openings}\n${bots.join("\n")}`;
  writeFileSync(join(run, "tournament.toml"), plan);
  writeFileSync(join(run, "games.jsonl"), games().map((game) => `${JSON.stringify(game)}\n`).join(""));
  const page = join(folder, "cup.html");
  linesman("league", "report", run, "--format", "html", "--out", page);
  address = pathToFileURL(page).href;
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** Every game of the league, the better bot winning most of them. */
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
    test(`nothing is wrong with it in ${scheme}, ${width} pixels wide`, async () => {
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

test("tables have captions, and each cell a row and a column that it belongs to", async () => {
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
  assert.deepEqual(targets, Array(8).fill(true));
  await opened.close();
});
