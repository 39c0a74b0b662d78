// Node, Bun and Deno with many features: worker threads, timers, child processes, memory, files.
const assert = require("node:assert");
const { execFile, execFileSync, fork, spawn } = require("node:child_process");
const crypto = require("node:crypto");
const fs = require("node:fs");
const os = require("node:os");
const readline = require("node:readline");
const { promisify } = require("node:util");
const { Worker } = require("node:worker_threads");
const zlib = require("node:zlib");

async function withThreads() {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const text = "const { workerData } = require('node:worker_threads'); Atomics.store(workerData, 0, 7); Atomics.notify(workerData, 0);";
  const worker = new Worker(text, { eval: true, workerData: shared });
  await new Promise((done) => worker.on("exit", done));
  assert(shared[0] === 7 && Atomics.wait(shared, 0, 7, 5) === "timed-out");
  await promisify(crypto.pbkdf2)("a", "b", 1000, 20, "sha1");
  assert((await promisify(zlib.gzip)("a".repeat(10000))).length < 1000);
}

async function withChildren() {
  assert(execFileSync("echo", ["7"]).toString() === "7\n");
  assert((await promisify(execFile)("sh", ["-c", "echo 7"])).stdout === "7\n");
  const cat = spawn("cat");
  cat.stdin.end("7");
  assert((await new Promise((done) => cat.stdout.on("data", done))).toString() === "7");
  // Without bubblewrap, Bun as a child process can't read its own memory, and hangs.
  if (process.versions.bun) return;
  const child = fork(__filename, ["child"]);
  assert((await new Promise((done) => child.on("message", done))) === 7);
  child.kill();
  await new Promise((done) => child.on("exit", done));
}

async function withSystem() {
  const kept = Array.from({ length: 20 }, () => Buffer.alloc(2000000, 1).toString());
  kept.push(Array.from({ length: 300000 }, (_, number) => ({ number })));
  assert((await fs.promises.readFile(__filename)).length === fs.statSync(__filename).size);
  assert((await fs.promises.readdir(__dirname)).length && fs.realpathSync(__filename) && fs.existsSync(__dirname));
  const buffer = Buffer.alloc(5);
  const file = await fs.promises.open(__filename);
  await file.read(buffer, 0, 5, 3);
  await file.close();
  assert(crypto.randomBytes(8).length === 8 && crypto.randomUUID() && os.cpus().length && os.loadavg() && os.freemem());
  assert(process.hrtime.bigint() && process.memoryUsage().rss && process.cpuUsage() && process.resourceUsage() && os.uptime());
  process.once("SIGUSR2", () => {});
  process.kill(process.pid, "SIGUSR2");
  await new Promise((done) => setTimeout(done, 5));
  await new Promise(setImmediate);
}

async function choose(legal) {
  await withThreads();
  await withChildren();
  await withSystem();
  return legal[crypto.randomInt(legal.length)];
}

if (process.argv[2] === "child") {
  process.send(7);
} else {
  let legal = [];
  readline.createInterface({ input: process.stdin }).on("line", async (line) => {
    const [verb, ...words] = line.split(" ");
    if (verb === "ugi") console.log("feature legal\nugiok");
    else if (verb === "isready") console.log("readyok");
    else if (verb === "legal") legal = words;
    else if (verb === "go") console.log("bestmove " + (await choose(legal)));
    else if (verb === "quit") process.exit();
  });
}
