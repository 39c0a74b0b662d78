// my-bot, a bot for linesman. It plays every game; your idea goes into `choose`.
import { createInterface } from "node:readline";

/** What the bot knows when it is on move. */
interface Turn {
  game: string; // its name, such as quixo
  options: string; // such as size=5,max_plies=200,repetition=3
  seat: number; // the bot's own, counted from 1
  seats: number;
  state: string; // the position as a token
  legal: string[]; // every legal move
  clocks: number[]; // milliseconds left, by seat; empty without clocks
  time: number; // milliseconds to think about this move
}

/** The move to play: here goes your idea. Until then, any legal move. */
function choose(turn: Turn): string {
  // Standard output belongs to the referee. Messages of your own go to standard error:
  // console.error("position", turn.state);
  return turn.legal[random(turn.legal.length)]!;
}

const turn: Turn = { game: "", options: "", seat: 1, seats: 2, state: "", legal: [], clocks: [], time: 0 };

createInterface({ input: process.stdin }).on("line", (line) => {
  const [verb, ...words] = line.trim().split(/\s+/);
  switch (verb) {
    case "ugi":
      console.log("id name my-bot\nfeature state legal\nugiok");
      break;
    case "game": // game quixo seat 1 seats 2 id a~b~1 options size=5,...
      seed(line.trim()); // a game that is played again goes the same way
      turn.game = words[0] ?? "";
      turn.options = after(words, "options") ?? "";
      turn.seat = Number(after(words, "seat"));
      turn.seats = Number(after(words, "seats"));
      break;
    case "isready":
      console.log("readyok");
      break;
    case "state":
      turn.state = words[0] ?? "";
      break;
    case "legal":
      turn.legal = words;
      break;
    case "go": // go movetime 1000, or: go p1time 60000 p2time 60000 p1inc 0 p2inc 0
      turn.clocks = [];
      for (let seat = 1; words.includes(`p${seat}time`); seat++) {
        turn.clocks.push(Number(after(words, `p${seat}time`)));
      }
      turn.time = timeToThink(words, turn.seat);
      console.log(`bestmove ${choose(turn)}`);
      break;
    case "quit":
      process.exit();
  }
});

/** Milliseconds for a move: a share of the clock, and a fifth less than is allowed. */
function timeToThink(words: string[], seat: number): number {
  const most = Number(after(words, "movetime") ?? Infinity);
  const clock = Number(after(words, `p${seat}time`) ?? Infinity);
  const share = clock / Number(after(words, "movestogo") ?? 30) + Number(after(words, `p${seat}inc`) ?? 0);
  return 0.8 * Math.min(most, clock, share);
}

/** The word that follows a name, such as 1000 in `movetime 1000`. */
function after(words: string[], name: string): string | undefined {
  const index = words.indexOf(name);
  return index < 0 ? undefined : words[index + 1];
}

let randomState = 1;

/** A random number below `limit` (xorshift, since Math.random can't be seeded). */
function random(limit: number): number {
  randomState ^= randomState << 13;
  randomState ^= randomState >>> 17;
  randomState ^= randomState << 5;
  return (randomState >>> 0) % limit;
}

/** Begins the random numbers anew: the same text gives the same numbers. */
function seed(text: string): void {
  randomState = 2166136261;
  for (const letter of text) randomState = Math.imul(randomState ^ letter.charCodeAt(0), 16777619);
  randomState ||= 1; // from 0 it would stay 0
  for (let i = 0; i < 8; i++) random(1);
}
