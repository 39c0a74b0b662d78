// Takes the pictures of the README: the page of a real game, light and dark.
//
//     npm ci && node screenshots.js

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { linesman, start } from "./browser.js";

const pictures = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
const run = mkdtempSync(join(tmpdir(), "linesman-screenshots-"));
const browser = await start();
try {
  // Bots limited by positions play the same game on every machine.
  const bots = ["alphabeta --nodes 20000", "mcts --nodes 5000"].flatMap((bot) => ["--bot", `linesman bot ${bot}`]);
  linesman("match", "--game", "quixo", ...bots, "--games", "2", "--movetime", "10s", "--seed", "3", "--out", join(run, "match"));
  const records = join(run, "match", "games.jsonl");
  mkdirSync(pictures, { recursive: true });
  for (const scheme of ["light", "dark"]) {
    const opened = await browser.open(browser.write(1, records), { width: 1000, height: 640, scheme });
    await opened.page.keyboard.press("End");
    await opened.page.screenshot({ path: join(pictures, `replay-${scheme}.png`) });
    opened.check();
    await opened.close();
  }
} finally {
  await browser.close();
  rmSync(run, { recursive: true });
}
