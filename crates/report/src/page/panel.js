// @ts-check
// What stands beside the board: who plays, the moves, what the bot said, what
// went wrong. Every text of a bot goes in as text, never as markup.

/** @import { FaultNote, Film, Played, Player } from "./types.js" */
import { svg, symbol } from "./board.js";
import { about, badge, clock, grouped, isOut, score, time } from "./words.js";

/**
 * An element with a class and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {string} look
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(name, look, ...children) {
  const made = document.createElement(name);
  if (look !== "") made.className = look;
  made.append(...children);
  return made;
}

/**
 * Words in which quotations, which have backticks in plain text, are code.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function quoted(text) {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? element("code", "", part) : part));
}

/**
 * The sign of a side: its symbol on a cube.
 * @param {Player} player
 * @param {number} seat
 * @returns {Element}
 */
function sign(player, seat) {
  return svg(
    "svg",
    { class: "sign", viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
    svg("rect", { class: "square", x: 4, y: 4, width: 92, height: 92, rx: 22 }),
    symbol(badge(player, seat), player.side, 50, 50),
  );
}

/**
 * Who plays, who is on move, what their clocks show, who came in where.
 * @param {HTMLElement} place
 * @param {Film} film
 * @param {number} ply
 */
export function showPlayers(place, film, ply) {
  const frame = film.frames[ply];
  const atEnd = ply === film.frames.length - 1;
  place.replaceChildren(
    ...film.seats.map((player, index) => {
      const seat = index + 1;
      const onMove = !atEnd && frame.to_move === seat;
      const out = isOut(film, ply, seat);
      const row = element("li", onMove ? "player on-move" : out ? "player gone" : "player", sign(player, seat));
      const name = element("span", "name", player.name);
      name.title = player.name;
      row.append(element("span", "who", name, element("span", "about", about(film, player, seat))));
      if (atEnd && player.place !== null) {
        row.append(element("span", player.place === 1 ? "place first" : "place", placed(film, player)));
      } else if (onMove) {
        row.append(element("span", "turn", "to move"));
      } else if (out) {
        row.append(element("span", "turn", "out"));
      }
      if (frame.clocks_ms !== null) row.append(element("span", "clock", clock(frame.clocks_ms[index])));
      return row;
    }),
  );
}

/**
 * @param {Film} film
 * @param {Player} player
 * @returns {string}
 */
function placed(film, player) {
  const shared = film.seats.filter((other) => other.place === player.place).length;
  if (film.sides.length > 2) return `place ${player.place}`;
  return shared === film.seats.length ? "draw" : player.place === 1 ? "winner" : "lost";
}

/** The room for a move and its time in one of two columns, and the width of their letters, in pixels. */
const [ROOM, MOVE_LETTER, TIME_LETTER] = [95, 9, 7.2];

/**
 * What stands at the end of a move's row.
 * @param {Played} played
 * @returns {string}
 */
function took(played) {
  if (played.kind === "opening") return "opening";
  return played.time_us === null ? "" : time(played.time_us);
}

/**
 * Makes the list of moves; two seats stand side by side where moves and times are short.
 * @param {HTMLElement} place
 * @param {Film} film
 * @returns {HTMLAnchorElement[]}  the link of each ply, the start included
 */
export function makeMoves(place, film) {
  const widest = Math.max(
    0,
    ...film.frames.map(({ played }) =>
      played === null ? 0 : MOVE_LETTER * played.text.length + TIME_LETTER * took(played).length,
    ),
  );
  const columns = film.seats.length === 2 && widest <= ROOM ? 2 : 1;
  place.className = columns === 1 ? "single" : "";
  const first = film.frames[1]?.played?.seat ?? 1;
  const longest = Math.max(1, ...film.frames.map((frame) => frame.played?.time_us ?? 0));
  const start = element("a", "move start", "Start");
  start.href = "#0";
  const links = [start];
  place.replaceChildren(element("li", "round", start));
  /** @type {HTMLElement | null} */
  let round = null;
  film.frames.slice(1).forEach((frame, index) => {
    const played = frame.played;
    if (played === null) return;
    const ply = index + 1;
    const startsRow = columns === 1 || played.seat === 1 || round === null;
    if (startsRow || round === null) {
      const number = columns === 1 ? ply : Math.floor((index + first - 1) / 2) + 1;
      round = element("li", "round", element("span", "number", `${number}`));
      if (columns === 2 && played.seat === 2) round.append(element("span", "gap", "\u2026"));
      place.append(round);
    }
    const link = element("a", `move ${played.kind} side-${film.seats[played.seat - 1].side}`);
    link.href = `#${ply}`;
    const text = element("span", "text", played.kind === "out" ? "out" : played.text);
    // The sign stays beside the move, and the time is what gives way.
    const named = element("span", "named", text);
    link.append(element("span", "chip", badge(film.seats[played.seat - 1], played.seat)), named);
    link.title = `${film.seats[played.seat - 1].name}: ${played.text}`;
    if (played.remark !== undefined) {
      named.append(element("span", "remark", played.remark.sign));
      link.title += `\n${played.remark.text}`;
    }
    const end = took(played);
    if (end !== "") link.append(element("span", "took", end));
    if (played.time_us !== null) {
      const bar = element("span", "bar");
      bar.style.setProperty("--share", String(played.time_us / longest));
      link.append(bar);
    }
    links.push(link);
    round.append(link);
  });
  return links;
}

/**
 * What the bot said with a move.
 * @param {HTMLElement} place
 * @param {Film} film
 * @param {number} ply
 */
export function showSaid(place, film, ply) {
  const played = film.frames[ply].played;
  const said = played?.said ?? null;
  const title = element("h2", "", played === null ? "What the bots said" : `What ${film.seats[played.seat - 1].name} said`);
  const remark = played?.remark === undefined ? [] : [element("p", "analysis", played.remark.text)];
  if (said === null) {
    const text = played === null ? "Step to a move to see it." : "Nothing with this move.";
    place.replaceChildren(...remark, title, element("p", "muted", text));
    return;
  }
  place.replaceChildren(...remark, title);
  const figures = element("dl", "figures");
  /** @type {[string, string | undefined][]} */
  const rows = [
    ["score", said.score_cp === undefined ? undefined : score(said.score_cp)],
    ["depth", said.depth === undefined ? undefined : String(said.depth)],
    ["positions", said.nodes === undefined ? undefined : grouped(said.nodes)],
  ];
  for (const [name, value] of rows) {
    if (value !== undefined) figures.append(element("div", "", element("dt", "", name), element("dd", "", value)));
  }
  if (figures.childElementCount > 0) place.append(figures);
  if (said.pv !== undefined && said.pv.length > 0) {
    const line = element("p", "pv", element("span", "label", "expects "));
    for (const text of said.pv) line.append(element("code", "", text), " ");
    place.append(line);
  }
  if (said.text !== undefined) place.append(element("blockquote", "", said.text));
}

/**
 * What went wrong, with its evidence; shown at the end.
 * @param {HTMLElement} place
 * @param {Film} film
 * @param {number} ply
 */
export function showFaults(place, film, ply) {
  const shown = ply === film.frames.length - 1 && (film.faults.length > 0 || film.broken !== null);
  place.hidden = !shown;
  if (!shown) return;
  place.replaceChildren(element("h2", "", "What went wrong"));
  if (film.broken !== null) {
    place.append(element("p", "", ...quoted(`The record is inconsistent: ${film.broken}. The replay ends there.`)));
  }
  for (const fault of film.faults) place.append(...evidence(fault));
  place.append(...folded("The last lines of the dialogue with the referee", film.transcript, "\n"));
}

/**
 * @param {FaultNote} fault
 * @returns {HTMLElement[]}
 */
function evidence(fault) {
  /** @type {HTMLElement[]} */
  const parts = [element("p", "", ...quoted(`${fault.sentence}.`))];
  if (fault.hint !== undefined) parts.push(element("p", "", ...quoted(`Hint: ${fault.hint}.`)));
  /** @type {[string, string[], string][]} */
  const lists = [
    ["It printed instead of an answer", fault.stray_lines, "\n"],
    ["The last lines of its stderr", fault.stderr_tail, "\n"],
    [`Legal moves (${fault.legal.length})`, fault.legal, " "],
  ];
  for (const [title, lines, joint] of lists) parts.push(...folded(title, lines, joint));
  return parts;
}

/**
 * Lines that are seen when somebody asks for them; nothing if there are none.
 * @param {string} title
 * @param {string[]} lines
 * @param {string} joint
 * @returns {HTMLElement[]}
 */
function folded(title, lines, joint) {
  if (lines.length === 0) return [];
  const text = element("pre", "", lines.join(joint));
  text.tabIndex = 0;
  return [element("details", "", element("summary", "", title), text)];
}
