// @ts-check
// Draws a frame: boards as SVG for the eye, and over each a grid of labelled
// squares for screen readers and the keyboard.

/** @import { Board, Cell, Direction, Film, Frame, Mark, Piece } from "./types.js" */
/** @import { Slide } from "./slide.js" */
import { fileName, squareLabel } from "./words.js";

/** The length of a square's side in the picture. */
const SQUARE = 100;
/** The distance from a rank of hexagons to the next. */
const HEXAGON_RANK = 87;
/** From the middle of a hexagon up to its upper corner, and to those at its sides. */
const HEXAGON = { far: 58, near: 29 };
/** How far stripes on a piece lie apart. */
const STRIPES = 16;
/** The room for labels on the left and below. */
const LABEL = 44;
/** The room on the other sides. */
const RIM = 18;

/**
 * How a board is looked at.
 * @typedef {"from below" | "from above"} Facing
 */

/**
 * An SVG element with attributes and children.
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {(Element | string)[]} children
 * @returns {SVGElement}
 */
export function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * Where things lie on one board's picture.
 */
class Frameset {
  /**
   * @param {Board} board
   * @param {Facing} facing
   */
  constructor(board, facing) {
    this.board = board;
    this.turned = facing === "from above";
    this.hexagons = board.shape === "hexagons";
    const above = board.height - 1;
    /** The room that the cells take. */
    this.room = this.hexagons
      ? { width: board.width * SQUARE + (above * SQUARE) / 2, height: above * HEXAGON_RANK + 2 * HEXAGON.far }
      : { width: board.width * SQUARE, height: board.height * SQUARE };
    this.width = LABEL + this.room.width + RIM;
    this.height = RIM + this.room.height + LABEL;
  }

  /**
   * How far a row lies to the right, counted from the top.
   * @param {number} row
   */
  shift(row) {
    return this.hexagons ? ((this.board.height - 1 - row) * SQUARE) / 2 : 0;
  }

  /**
   * The column and row of a square as it is seen, both from the top left.
   * @param {number} square
   */
  seen(square) {
    const { width, height } = this.board;
    const file = square % width;
    const rank = Math.floor(square / width);
    return this.turned ? { column: width - 1 - file, row: rank } : { column: file, row: height - 1 - rank };
  }

  /**
   * The middle of a square.
   * @param {number} square
   */
  centre(square) {
    const { column, row } = this.seen(square);
    const down = this.hexagons ? HEXAGON.far + row * HEXAGON_RANK : (row + 0.5) * SQUARE;
    return { x: LABEL + this.shift(row) + (column + 0.5) * SQUARE, y: RIM + down };
  }

  /**
   * The corners of a cell on one of its sides, this much inside.
   * @param {number} square
   * @param {Direction} side
   * @param {number} [inside]
   * @returns {[number, number][]}
   */
  corners(square, side, inside = 0) {
    const { x, y } = this.centre(square);
    const sign = this.turned ? -1 : 1;
    const half = SQUARE / 2 - inside;
    const near = (this.hexagons ? HEXAGON.near : SQUARE / 2) - (this.hexagons ? inside / 2 : inside);
    /** @type {[number, number][]} */
    const tip = this.hexagons ? [[0, HEXAGON.far - inside]] : [];
    /** @type {Record<Direction, [number, number][]>} */
    const offsets = {
      north: [[-half, near], ...tip, [half, near]],
      east: [[half, near], [half, -near]],
      south: [[half, -near], .../** @type {[number, number][]} */ (tip.map(([dx, dy]) => [dx, -dy])), [-half, -near]],
      west: [[-half, -near], [-half, near]],
    };
    return offsets[side].map(([dx, dy]) => [x + sign * dx, y - sign * dy]);
  }

  /**
   * The outline of a cell, this much inside.
   * @param {number} square
   * @param {number} inside
   */
  outline(square, inside) {
    return points([...this.corners(square, "north", inside), ...this.corners(square, "south", inside)]);
  }

  /**
   * A direction on the board as a step in the picture.
   * @param {number} files
   * @param {number} ranks
   */
  step(files, ranks) {
    const sign = this.turned ? -1 : 1;
    if (this.hexagons) return { x: sign * (files + ranks / 2) * SQUARE, y: -sign * ranks * HEXAGON_RANK };
    return { x: sign * files * SQUARE, y: -sign * ranks * SQUARE };
  }
}

/**
 * @param {[number, number][]} corners
 * @returns {string}
 */
function points(corners) {
  return corners.map(([x, y]) => `${x},${y}`).join(" ");
}

/** @type {Record<Direction, [number, number]>} */
const STEPS = { north: [0, 1], east: [1, 0], south: [0, -1], west: [-1, 0] };

/**
 * Draws a frame into its place.
 *
 * @param {HTMLElement} place
 * @param {Film} film
 * @param {Frame} frame
 * @param {Facing} facing
 * @param {Slide[]} slides   what is shown moving
 */
export function drawBoards(place, film, frame, facing, slides) {
  const focused = place.querySelector("[role=gridcell]:focus");
  const kept = focused instanceof HTMLElement ? focused.dataset.square : undefined;
  place.replaceChildren(
    ...frame.boards.map((board, index) => {
      const view = new Frameset(board, facing);
      const figure = document.createElement("div");
      figure.className = "board";
      figure.style.setProperty("--shape", String(view.width / view.height));
      if (board.title !== null) {
        const title = document.createElement("p");
        title.className = "board-title";
        title.textContent = board.title;
        figure.append(title);
      }
      const stack = document.createElement("div");
      stack.className = "stack";
      stack.append(picture(film, frame, index, view, slides), grid(film, frame, index, view, kept));
      figure.append(stack);
      return figure;
    }),
  );
  if (kept !== undefined) {
    const again = place.querySelector(`[data-square="${CSS.escape(kept)}"]`);
    if (again instanceof HTMLElement) again.focus();
  }
}

/**
 * @param {Film} film
 * @param {Frame} frame
 * @param {number} index
 * @param {Frameset} view
 * @param {Slide[]} slides
 * @returns {SVGElement}
 */
function picture(film, frame, index, view, slides) {
  const { board } = view;
  const marks = frame.marks.filter((mark) => mark.board === index);
  const inLine = new Set(marks.filter((mark) => mark.kind === "line").flatMap((mark) => mark.squares));
  const ground = svg("rect", { class: "ground", width: view.width, height: view.height, rx: 26 });
  const well = svg("rect", {
    class: "well",
    x: LABEL - 6,
    y: RIM - 6,
    width: view.room.width + 12,
    height: view.room.height + 12,
    rx: 16,
  });
  const cells = board.cells.map((cell, square) => {
    const drawn = drawCell(film.cells[cell], view, square, inLine.has(square));
    const slide = slides.find((slide) => slide.board === index && slide.square === square);
    if (slide) animate(drawn, view, slide);
    return drawn;
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${view.width} ${view.height}`, "aria-hidden": "true", focusable: "false" },
    ground,
    ...(view.hexagons ? [] : [well]),
    svg("g", {}, ...cells),
    svg("g", {}, ...borders(film, view)),
    svg("g", {}, ...marks.flatMap((mark) => drawMark(mark, view))),
    svg("g", { class: "labels" }, ...labels(view)),
  );
}

/**
 * The borders between groups of cells, and the edges that belong to a side.
 * @param {Film} film
 * @param {Frameset} view
 * @returns {SVGElement[]}
 */
function borders(film, view) {
  const { width, height, cells, edges = [] } = view.board;
  const group = (/** @type {number} */ square) => film.cells[cells[square]].group ?? 0;
  const all = cells.map((_, square) => square);
  const between = all.flatMap((square) => {
    const sides = [];
    if (square % width < width - 1 && group(square) !== group(square + 1)) sides.push(view.corners(square, "east"));
    if (square + width < width * height && group(square) !== group(square + width)) {
      sides.push(view.corners(square, "north"));
    }
    return sides.map((corners) => svg("polyline", { class: "group", points: points(corners) }));
  });
  /** @type {Record<Direction, (square: number) => boolean>} */
  const lies = {
    north: (square) => square >= width * (height - 1),
    east: (square) => square % width === width - 1,
    south: (square) => square < width,
    west: (square) => square % width === 0,
  };
  const owned = edges.map(({ at, side }) => {
    const along = all.filter(lies[at]);
    // The corners of a cell go round it: from west to east above, from east to west below.
    if (at === "south" || at === "east") along.reverse();
    const corners = along.flatMap((square) => view.corners(square, at));
    return svg("polyline", { class: `edge side-${side}`, points: points(corners) });
  });
  return [...between, ...owned];
}

/**
 * @param {Element} element
 * @param {Frameset} view
 * @param {Slide} slide
 */
function animate(element, view, slide) {
  const { x, y } = view.step(slide.files, slide.ranks);
  const start = { transform: `translate(${x}px, ${y}px)`, opacity: slide.enters ? 0 : 1 };
  element.animate([start, { transform: "none", opacity: 1 }], { duration: 220, easing: "cubic-bezier(.2,.8,.3,1)" });
}

/**
 * @param {Cell} cell
 * @param {Frameset} view
 * @param {number} square
 * @param {boolean} inLine
 * @returns {SVGElement}
 */
function drawCell(cell, view, square, inLine) {
  const { x, y } = view.centre(square);
  const side = SQUARE - 8;
  const tint = cell.fill ?? "";
  const group = svg("g", { class: inLine ? "cell in-line" : "cell" });
  if (view.hexagons) {
    group.append(svg("polygon", { class: "square", "data-tint": tint, points: view.outline(square, 2) }));
    if (cell.piece !== null) group.append(...drawPiece(cell.piece, view, x, y));
    return group;
  }
  group.append(
    svg("rect", { class: "shade", x: x - side / 2, y: y - side / 2 + 4, width: side, height: side, rx: 14 }),
    svg("rect", { class: "square", "data-tint": tint, x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 14 }),
  );
  if (cell.piece !== null) {
    if (cell.fill !== null) group.append(plate(x, y));
    group.append(...drawPiece(cell.piece, view, x, y));
  }
  if (cell.fill !== null) {
    group.append(svg("text", { class: "tint", x: x - side / 2 + 12, y: y - side / 2 + 17 }, cell.fill));
  }
  return group;
}

/**
 * What a piece lies on where squares have colours, which stay to be seen around it.
 * @param {number} x
 * @param {number} y
 * @returns {SVGElement}
 */
function plate(x, y) {
  const side = SQUARE - 44;
  return svg("rect", { class: "plate", x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 11 });
}

/**
 * @param {Piece} piece
 * @param {Frameset} view
 * @param {number} x
 * @param {number} y
 * @returns {SVGElement[]}
 */
function drawPiece(piece, view, x, y) {
  const parts = [];
  const face = SQUARE - 24;
  if (piece.level !== null || piece.pointer?.kind === "joint") parts.push(...tile(piece, view, x, y));
  if (piece.tint !== null) {
    parts.push(
      svg("rect", { class: "face", "data-tint": piece.tint, x: x - face / 2, y: y - face / 2, width: face, height: face, rx: 10 }),
    );
    // Colours that some take for one another differ in stripes too.
    parts.push(...stripes(piece.tint, x - face / 2, y - face / 2, face));
  }
  parts.push(symbol(piece.symbol, piece.side, x, y));
  if (piece.pointer?.kind === "dot") {
    const [files, ranks] = STEPS[piece.pointer.direction];
    const step = view.step(files, ranks);
    // Between the symbol and the frame of a mark.
    parts.push(svg("circle", { class: "dot", cx: x + step.x * 0.365, cy: y + step.y * 0.365, r: 4.5 }));
  }
  if (piece.level !== null && piece.level > 1) {
    parts.push(svg("text", { class: "level", x: x + 38, y: y + 38 }, String(piece.level)));
  }
  return parts;
}

/**
 * What a piece that can lie on others is drawn on: half a tile, with half a
 * neck to the other half where that is seen.
 * @param {Piece} piece
 * @param {Frameset} view
 * @param {number} x
 * @param {number} y
 * @returns {SVGElement[]}
 */
function tile(piece, view, x, y) {
  const side = SQUARE - 18;
  const half = svg("rect", { class: "tile", x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 14 });
  if (piece.pointer?.kind !== "joint") return [half];
  const step = view.step(...STEPS[piece.pointer.direction]);
  /** @type {(along: number, across: number) => string} */
  const at = (along, across) => `${x + step.x * along - step.y * across} ${y + step.y * along + step.x * across}`;
  const edges = [-0.29, 0.29].map((across) => `M${at(0.39, across)}L${at(0.505, across)}`);
  const neck = `M${at(0.39, -0.29)}L${at(0.505, -0.29)}L${at(0.505, 0.29)}L${at(0.39, 0.29)}Z`;
  return [half, svg("path", { class: "joint", d: neck }), svg("path", { class: "joint-side", d: edges.join("") })];
}

/**
 * The stripes that a colour has on a piece: rising, falling or none.
 * @param {string} tint
 * @param {number} x
 * @param {number} y
 * @param {number} side
 * @returns {SVGElement[]}
 */
function stripes(tint, x, y, side) {
  const rising = "rb".includes(tint);
  if (!rising && !"gp".includes(tint)) return [];
  const lines = [];
  for (let at = STRIPES; at < 2 * side; at += STRIPES) {
    const near = Math.min(at, side);
    const far = Math.max(at - side, 0);
    lines.push(
      rising
        ? `M${x + far} ${y + near}L${x + near} ${y + far}`
        : `M${x + far} ${y + side - near}L${x + near} ${y + side - far}`,
    );
  }
  return [svg("path", { class: "stripes", d: lines.join("") })];
}

/**
 * A side's symbol, drawn where it is a cross or a ring.
 * @param {string} text
 * @param {number} side
 * @param {number} x
 * @param {number} y
 * @returns {SVGElement}
 */
export function symbol(text, side, x, y) {
  const look = `symbol side-${side}`;
  if (text.toLowerCase() === "x") {
    const arm = 22;
    const path = `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x - arm} ${y + arm}L${x + arm} ${y - arm}`;
    return svg("path", { class: `${look} drawn`, d: path });
  }
  if (text.toLowerCase() === "o") return svg("circle", { class: `${look} drawn`, cx: x, cy: y, r: 24 });
  return svg("text", { class: `${look} written`, x, y: y + 17 }, text);
}

/**
 * @param {Mark} mark
 * @param {Frameset} view
 * @returns {SVGElement[]}
 */
function drawMark(mark, view) {
  const centres = mark.squares.map((square) => view.centre(square));
  if (mark.kind === "line") {
    const points = centres.map(({ x, y }) => `${x},${y}`).join(" ");
    return [svg("polyline", { class: "line halo", points }), svg("polyline", { class: "line", points, pathLength: 1 })];
  }
  if (view.hexagons) {
    return mark.squares.map((square) =>
      svg("polygon", { class: `mark ${mark.kind}`, points: view.outline(square, 6) }),
    );
  }
  const side = SQUARE - 8;
  return centres.map(({ x, y }) =>
    svg("rect", { class: `mark ${mark.kind}`, x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 14 }),
  );
}

/**
 * @param {Frameset} view
 * @returns {SVGElement[]}
 */
function labels(view) {
  const { board } = view;
  const ranks = Array.from({ length: board.height }, (_, rank) => {
    const leftmost = rank * board.width + (view.turned ? board.width - 1 : 0);
    const { x, y } = view.centre(leftmost);
    return svg("text", { x: x - SQUARE / 2 - LABEL / 2 - 2, y: y + 8 }, String(rank + 1));
  });
  const files = Array.from({ length: board.width }, (_, file) => {
    const { x } = view.centre(file + (view.turned ? (board.height - 1) * board.width : 0));
    return svg("text", { x, y: view.height - LABEL / 2 + 10 }, fileName(file));
  });
  return [...ranks, ...files];
}

/**
 * The same board for screen readers: rows of labelled squares, walked by arrow keys.
 * @param {Film} film
 * @param {Frame} frame
 * @param {number} index
 * @param {Frameset} view
 * @param {string | undefined} kept   the square that had the focus
 * @returns {HTMLElement}
 */
function grid(film, frame, index, view, kept) {
  const { board } = view;
  const element = document.createElement("div");
  element.className = "grid";
  element.setAttribute("role", "grid");
  element.setAttribute("aria-readonly", "true");
  element.setAttribute("aria-label", board.title ?? "Board");
  const share = (/** @type {number} */ part, /** @type {number} */ whole) => `${(100 * part) / whole}%`;
  element.style.left = share(LABEL, view.width);
  element.style.right = share(RIM, view.width);
  element.style.top = share(RIM, view.height);
  element.style.bottom = share(LABEL, view.height);
  const own = kept?.startsWith(`${index}:`) ? kept : undefined;
  for (let row = 0; row < board.height; row += 1) {
    const line = document.createElement("div");
    line.setAttribute("role", "row");
    if (view.hexagons) {
      line.style.marginLeft = share(view.shift(row), view.room.width);
      line.style.marginRight = share(view.shift(0) - view.shift(row), view.room.width);
    }
    for (let column = 0; column < board.width; column += 1) {
      const rank = view.turned ? row : board.height - 1 - row;
      const file = view.turned ? board.width - 1 - column : column;
      const square = rank * board.width + file;
      const cell = document.createElement("div");
      const name = `${index}:${square}`;
      cell.setAttribute("role", "gridcell");
      cell.setAttribute("aria-label", squareLabel(film, frame, index, square));
      cell.dataset.square = name;
      cell.tabIndex = name === own || (own === undefined && row === 0 && column === 0) ? 0 : -1;
      line.append(cell);
    }
    element.append(line);
  }
  element.addEventListener("keydown", (event) => walk(element, board, event));
  return element;
}

/**
 * Moves the focus between squares.
 * @param {HTMLElement} element
 * @param {Board} board
 * @param {KeyboardEvent} event
 */
function walk(element, board, event) {
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -board.width, ArrowDown: board.width };
  const step = steps[/** @type {keyof typeof steps} */ (event.key)];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  const cells = /** @type {HTMLElement[]} */ ([...element.querySelectorAll("[role=gridcell]")]);
  const here = cells.findIndex((cell) => cell === document.activeElement);
  const sideways = Math.abs(step) === 1;
  const leaves = sideways && Math.floor(here / board.width) !== Math.floor((here + step) / board.width);
  const next = leaves ? undefined : cells[here + step];
  if (here < 0 || next === undefined) return;
  cells[here].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
