// A program that uses the whole public interface; it is only compiled.

import init, { Game, LinesmanError, type Outcome, type Position, games } from "../../target/bindings/javascript/linesman.js";

/** Returns the best score of a seat in random games. */
export async function playedOut(pick: (below: number) => number): Promise<Outcome[]> {
  await init();
  const outcomes: Outcome[] = [];
  for (const name of games()) {
    const game = new Game(name, name === "quixo" ? { size: 4, repetition: 2 } : {});
    const position: Position = game.start();
    while (!position.isOver) {
      const legal: string[] = position.legal();
      position.play(legal[pick(legal.length)] ?? "");
    }
    const seen: Int16Array = position.observe(position.seat);
    const [planes, rows, columns] = game.observationShape;
    if (seen.length !== planes * rows * columns || position.mask().some((action) => action !== 0)) {
      throw new Error(game.planes.map(({ name, most }) => `${name} ${most}`).join());
    }
    if (position.outcome) outcomes.push(position.outcome);
    const pieces = position.scene.boards.flatMap(({ cells }) => cells.map(({ piece }) => piece?.symbol ?? "."));
    const copy = game.fromToken(game.replay(position.moves).token).copy();
    console.log(pieces.join(""), copy.token, copy.explain("none"), copy.ply, copy.seat, copy.game.options["size"]);
  }
  return outcomes;
}

/** Returns the rule that a move breaks. */
export function rule(error: unknown): string | null {
  return error instanceof LinesmanError && error.name === "IllegalMove" ? error.rule : null;
}

// @ts-expect-error Only games create positions.
export const made = (): Position => new (null as unknown as typeof Position)();
