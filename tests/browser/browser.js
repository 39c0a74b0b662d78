// Runs a real browser on pages written by the real program.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const project = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The records of the pages' games, one per line. */
export const RECORDS = join(project, "tests", "records", "games.jsonl");

/** Records of games with three seats and of team games. */
export const TABLES = join(project, "tests", "records", "tables.jsonl");

/** The program under test. */
const LINESMAN = process.env.LINESMAN ?? join(project, "target", "debug", "linesman");

/** Runs the program and returns its stdout. */
export function linesman(...parameters) {
  return execFileSync(LINESMAN, parameters, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Starts a browser and creates a folder for pages; `close` closes and removes them. */
export async function start() {
  const folder = mkdtempSync(join(tmpdir(), "linesman-browser-"));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
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
  return {
    /** Writes the page of a game and returns its address. */
    write(game, records = RECORDS) {
      const file = join(folder, `${records === RECORDS ? "game" : "table"}-${game}.html`);
      linesman("replay", records, "--game", String(game), "--html", file, "--force");
      return pathToFileURL(file).href;
    },
    /** Writes the page of a game with other boards, as in games that do not exist yet, and returns its address. */
    redrawn(game, redraw) {
      const file = join(folder, `redrawn-${game}.html`);
      linesman("replay", RECORDS, "--game", String(game), "--html", file, "--force");
      const data = /(<script type="application\/json" id="film">)(.*?)(<\/script>)/s;
      const page = readFileSync(file, "utf8").replace(data, (_, begin, film, end) => {
        const changed = JSON.parse(film);
        redraw(changed);
        return begin + JSON.stringify(changed).replaceAll("<", "\\u003c") + end;
      });
      writeFileSync(file, page);
      return pathToFileURL(file).href;
    },
    /**
     * Opens an address in a fresh profile. Any request besides the page's own
     * file, and any error in the page, fails `check`.
     */
    async open(address, options = {}) {
      const { width = 1280, height = 860, scheme = "light", motion = "reduce", clock = false } = options;
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: scheme,
        reducedMotion: motion,
      });
      const page = await context.newPage();
      const asked = [];
      const wrong = [];
      page.on("request", (request) => asked.push(request.url().split("#")[0]));
      page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
      page.on("console", (message) => wrong.push(`console: ${message.text()}`));
      page.on("dialog", (dialog) => {
        wrong.push(`dialog: ${dialog.message()}`);
        dialog.dismiss();
      });
      if (clock) await page.clock.install({ time: 0 });
      await page.goto(address);
      // From here on only tests advance the clock, which otherwise keeps running between their steps.
      if (clock) await page.clock.pauseAt(3_600_000);
      const check = () => {
        assert.deepEqual(asked, [address.split("#")[0]], "nothing but the file itself is asked for");
        assert.deepEqual(wrong, [], "nothing goes wrong in the page");
      };
      return { page, check, close: () => context.close() };
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Returns axe's violations in the current page, each with the elements. */
export async function violations(page) {
  // Evaluated by the browser itself, which the page's policy does not restrict.
  await page.evaluate(axe);
  // Without `resultTypes` axe describes every element that passes, too, which takes most of its time.
  const found = await page.evaluate(async () => (await globalThis.axe.run({ resultTypes: ["violations"] })).violations);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("  ")}`);
}

/** Returns the replay's position in the game. */
export function standing(page) {
  return page.evaluate(() => ({
    ply: Number(document.getElementById("slider").value),
    hash: location.hash,
    current: document.querySelector("#moves [aria-current=step] .text")?.textContent ?? "Start",
    spoken: document.getElementById("spoken").textContent,
    verdict: document.getElementById("verdict").textContent,
  }));
}

/** Returns the board by its squares' labels, in the row format of a position's token. */
export function rows(page) {
  return page.evaluate(() => {
    const grid = document.querySelector("[role=grid]");
    const rows = [...grid.querySelectorAll("[role=row]")];
    const sign = (cell) => {
      const contents = cell.getAttribute("aria-label").split(", ")[1];
      return contents === "empty" ? "." : contents;
    };
    return rows.map((row) => [...row.querySelectorAll("[role=gridcell]")].map(sign).join("")).join("/");
  });
}
