#!/usr/bin/env node
// A bot for linesman that plays any game, by chance: a start for your own.
//
//     linesman match --game quixo --bot "node bots/javascript/random_bot.js" --bot "linesman bot greedy" \
//                    --games 10 --movetime 200ms
//
// The referee writes lines to the bot's standard input and reads its answers
// from the standard output. Lines that the bot doesn't know it skips.
"use strict";

let legal = []; // the moves to choose from
let state = 1; // of the random numbers

/** The next random number below `limit` (xorshift: Math.random can't be seeded). */
function random(limit) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % limit;
}

/** Begins the random numbers anew: the same text, the same numbers. */
function seed(text) {
  state = 2166136261;
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0), 16777619);
  state ||= 1; // from 0 it would never move on
  for (let i = 0; i < 8; i++) random(1);
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [verb, ...words] = line.trim().split(/\s+/);
  switch (verb) {
    case "ugi": // the referee says hello; `feature legal` asks for the list of legal moves
      console.log("id name Random (JavaScript)\nfeature legal\nugiok");
      break;
    case "game": // game quixo seat 1 seats 2 id a~b~1 options size=5,...
      seed(line.trim()); // the same game, played again, goes the same way
      break;
    case "isready":
      console.log("readyok");
      break;
    case "legal": // legal a1a5 a1e1 a2a1 ...
      legal = words;
      break;
    case "go": // go movetime 1000: answer in time; here is the place for thought
      console.log(`bestmove ${legal[random(legal.length)]}`);
      break;
    case "quit":
      process.exit();
  }
});
