// Node with a package in a parent folder's `node_modules`, and a worker thread.
const readline = require("node:readline");
const { Worker } = require("node:worker_threads");
const pick = require("pick-one");

// Optionally reads or writes files, by its argument.
const fs = require("node:fs");
if (process.argv[2] === "read") fs.readFileSync("../elsewhere/weights.bin");
if (process.argv[2] === "write") fs.appendFileSync("bot.log", "started\n");

const worker = new Worker("require('node:worker_threads').parentPort.on('message', function (moves) { this.postMessage(moves); })", {
  eval: true,
});
worker.on("message", (moves) => console.log("bestmove " + pick(moves)));

let legal = [];
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [verb, ...words] = line.split(" ");
  if (verb === "ugi") console.log("feature legal\nugiok");
  else if (verb === "isready") console.log("readyok");
  else if (verb === "legal") legal = words;
  else if (verb === "go") worker.postMessage(legal);
  else if (verb === "quit") process.exit();
});
