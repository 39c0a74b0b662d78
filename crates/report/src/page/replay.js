// @ts-check
// The replay: where it stands, and how keys, buttons and the address move it.

/** @import { Film } from "./types.js" */
/** @import { Facing } from "./board.js" */
/** @import { Slide } from "./slide.js" */
import { drawBoards } from "./board.js";
import { makeMoves, quoted, showFaults, showPlayers, showSaid } from "./panel.js";
import { slides } from "./slide.js";
import { circumstances, happened, remarked } from "./words.js";

/** How long a position stays during autoplay, in milliseconds; and how much faster it can go. */
const INTERVAL = 1_000;
const SPEEDS = [1, 2, 5, 10];

/**
 * An element that the page is known to have.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
function find(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no ${type.name} \`${id}\``);
  return element;
}

/** @type {Film} */
const film = JSON.parse(document.getElementById("film")?.textContent ?? "");
const last = film.frames.length - 1;
const still = matchMedia("(prefers-reduced-motion: reduce)");

const page = {
  boards: find("boards", HTMLElement),
  captions: find("captions", HTMLElement),
  status: find("status", HTMLElement),
  verdict: find("verdict", HTMLElement),
  spoken: find("spoken", HTMLElement),
  slider: find("slider", HTMLInputElement),
  players: find("players", HTMLElement),
  moves: find("moves", HTMLElement),
  said: find("said", HTMLElement),
  faults: find("faults", HTMLElement),
  play: find("play", HTMLButtonElement),
  speed: find("speed", HTMLButtonElement),
  turn: find("turn", HTMLButtonElement),
  help: find("help", HTMLDialogElement),
};

let ply = -1;
/** @type {Facing} */
let facing = "from below";
let speed = 0;
/** @type {number | undefined} */
let timer;

const links = makeMoves(page.moves, film);

/**
 * Shows a position.
 * @param {number} wanted   its ply; what lies outside the game is its nearest end
 */
function show(wanted) {
  const next = Math.min(Math.max(wanted, 0), last);
  if (next === ply) return;
  const before = ply;
  ply = next;
  draw(before === ply - 1 && !still.matches ? slides(film.frames[before], film.frames[ply]) : []);
  const end = ply === last;
  const sentence = happened(film, ply);
  page.status.textContent = sentence;
  page.status.hidden = end;
  page.verdict.replaceChildren(...(end ? quoted(film.verdict) : []));
  page.verdict.hidden = !end;
  // A fast autoplay would only pile up what nobody can listen to.
  const said = sentence + remarked(film, ply);
  if (end) page.spoken.textContent = `${said} ${page.verdict.textContent}.`;
  else if (timer === undefined || speed === 0) page.spoken.textContent = said;
  page.slider.value = String(ply);
  page.slider.setAttribute("aria-valuetext", sentence);
  page.slider.style.setProperty("--done", String(last === 0 ? 0 : ply / last));
  showPlayers(page.players, film, ply);
  showSaid(page.said, film, ply);
  showFaults(page.faults, film, ply);
  markMove(before);
  for (const button of [find("first", HTMLButtonElement), find("back", HTMLButtonElement)]) {
    button.setAttribute("aria-disabled", String(ply === 0));
  }
  for (const button of [find("next", HTMLButtonElement), find("last", HTMLButtonElement)]) {
    button.setAttribute("aria-disabled", String(end));
  }
  if (end) stop();
  if (location.hash !== `#${ply}` && !(ply === 0 && location.hash === "")) {
    history.replaceState(null, "", `#${ply}`);
  }
}

/**
 * @param {Slide[]} moving
 */
function draw(moving) {
  const frame = film.frames[ply];
  drawBoards(page.boards, film, frame, facing, moving);
  page.captions.textContent = frame.captions.join("\n");
}

/**
 * Marks the current move in the list and brings it into view there.
 * @param {number} before
 */
function markMove(before) {
  for (const link of links) link.tabIndex = -1;
  links[before]?.removeAttribute("aria-current");
  const link = links[ply];
  const hadFocus = links.some((other) => other === document.activeElement);
  link.setAttribute("aria-current", "step");
  link.tabIndex = 0;
  if (hadFocus) link.focus({ preventScroll: true });
  const list = page.moves;
  const [top, bottom] = [link.offsetTop, link.offsetTop + link.offsetHeight];
  if (top < list.scrollTop + 40) list.scrollTop = top - 40;
  if (bottom > list.scrollTop + list.clientHeight - 40) list.scrollTop = bottom + 40 - list.clientHeight;
}

function play() {
  if (timer !== undefined) return stop();
  if (ply === last) show(0);
  timer = setInterval(() => show(ply + 1), INTERVAL / SPEEDS[speed]);
  sayPlaying();
}

function stop() {
  clearInterval(timer);
  timer = undefined;
  sayPlaying();
}

function sayPlaying() {
  const playing = timer !== undefined;
  page.play.setAttribute("aria-label", playing ? "Stop" : "Play");
  page.play.classList.toggle("playing", playing);
}

/**
 * @param {number} by
 */
function changeSpeed(by) {
  speed = (speed + by + SPEEDS.length) % SPEEDS.length;
  page.speed.textContent = `${SPEEDS[speed]}\u00d7`;
  page.speed.setAttribute("aria-label", `Speed: ${SPEEDS[speed]} times`);
  if (timer !== undefined) {
    clearInterval(timer);
    timer = setInterval(() => show(ply + 1), INTERVAL / SPEEDS[speed]);
  }
}

function turn() {
  facing = facing === "from below" ? "from above" : "from below";
  page.turn.setAttribute("aria-pressed", String(facing === "from above"));
  draw([]);
}

function help() {
  if (page.help.open) page.help.close();
  else page.help.showModal();
}

/**
 * Moves by the viewer's own hand end the autoplay.
 * @param {number} wanted
 */
function step(wanted) {
  stop();
  show(wanted);
}

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: () => step(ply - 1),
  ArrowRight: () => step(ply + 1),
  ",": () => step(ply - 1),
  ".": () => step(ply + 1),
  Home: () => step(0),
  End: () => step(last),
  " ": play,
  s: () => changeSpeed(1),
  f: turn,
  "?": help,
};

/**
 * Whether a key belongs to what has the focus: somebody types, or presses a button.
 * @param {KeyboardEvent} event
 */
function isTaken(event) {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("textarea, select, input:not([type=range])")) return true;
  return event.key === " " && target.matches("button, summary");
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing || isTaken(event)) return;
  if (page.help.open && event.key !== "?") return;
  const action = KEYS[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
});

/**
 * The ply that the address names; the start if it names none.
 * @returns {number}
 */
function addressed() {
  const text = location.hash.slice(1);
  return /^\d+$/.test(text) ? Number(text) : 0;
}

addEventListener("hashchange", () => step(addressed()));
page.slider.max = String(last);
page.slider.addEventListener("input", () => step(Number(page.slider.value)));
for (const [id, action] of /** @type {[string, () => void][]} */ ([
  ["first", KEYS.Home],
  ["back", KEYS.ArrowLeft],
  ["play", play],
  ["next", KEYS.ArrowRight],
  ["last", KEYS.End],
  ["speed", KEYS.s],
  ["turn", turn],
  ["keys", help],
  ["close", help],
])) {
  find(id, HTMLButtonElement).addEventListener("click", action);
}

find("title", HTMLElement).textContent = film.sides.join(" \u2013 ");
find("facts", HTMLElement).replaceChildren(
  ...circumstances(film).map((text) => Object.assign(document.createElement("li"), { textContent: text })),
);
find("id", HTMLElement).textContent = film.id;
find("options", HTMLElement).textContent = `${film.game} ${film.options}`;
show(addressed());
