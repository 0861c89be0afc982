import { meanOf } from "@reins/core";
import type { Settings, Space } from "./space.ts";

/** A piece of a trial: its settings, trained from some steps to some, with one seed. */
export interface Piece {
  readonly trial: number;
  readonly seed: number;
  readonly settings: Settings;
  /** Environment steps at which it ends; it begins where the piece before it ended. */
  readonly to: number;
  /** How many pieces of this trial come before it. */
  readonly rung: number;
  /** The trial whose agent it begins with, where that is another than its own. */
  readonly parent?: number;
}

/** A piece that came to an end, and what the agent then gained; a piece that failed gained nothing: minus infinity. */
export interface Told {
  readonly piece: Piece;
  readonly score: number;
}

/** What a search is told at the beginning. */
export interface Plan {
  readonly space: Space;
  readonly trials: number;
  /** Steps of a whole training. */
  readonly steps: number;
  /** Seeds of tuning: none of them is tested with. */
  readonly seeds: readonly number[];
  /** The seed of the search itself. */
  readonly seed: number;
}

/**
 * A way to search: the next piece, given all that was told and all that is under way. It keeps nothing, so that a search goes on where it was
 * from what was written down.
 */
export type Search = (
  plan: Plan,
  told: readonly Told[],
  running: readonly Piece[],
) => Piece | "wait" | "done";

/** Whether two are the same piece. */
export const samePiece = (a: Piece, b: Piece): boolean =>
  a.trial === b.trial && a.seed === b.seed && a.rung === b.rung;

/** Pieces of a trial at a rung, one a seed, that nobody has begun. */
export function missing(
  pieces: readonly Piece[],
  told: readonly Told[],
  running: readonly Piece[],
): Piece | undefined {
  const begun = (p: Piece) => told.some((t) => samePiece(t.piece, p)) || running.some((r) => samePiece(r, p));
  return pieces.find((p) => !begun(p));
}

/** The pieces of a trial at a rung. */
export const piecesOf = (plan: Plan, trial: number, settings: Settings, rung: number, to: number): Piece[] =>
  plan.seeds.map((seed) => ({ trial, seed, settings, to, rung }));

/** A trial that has come to the end of a rung with all its seeds. */
export interface Scored {
  readonly trial: number;
  readonly settings: Settings;
  readonly rung: number;
  /** The mean over its seeds. */
  readonly score: number;
}

/** All of them, in the order of trials and rungs. A seed that failed makes its trial the worst. */
export function scored(plan: Plan, told: readonly Told[]): Scored[] {
  const groups = new Map<string, Told[]>();
  for (const t of told) {
    const key = `${t.piece.trial} ${t.piece.rung}`;
    groups.set(key, [...(groups.get(key) ?? []), t]);
  }
  return [...groups.values()]
    .filter((all) => all.length === plan.seeds.length)
    .map((all) => ({
      trial: all[0].piece.trial,
      settings: all[0].piece.settings,
      rung: all[0].piece.rung,
      score: meanOf(all.map((t) => t.score)),
    }))
    .sort((a, b) => a.trial - b.trial || a.rung - b.rung);
}

/** The best first; of equals the earlier trial. */
export const ranked = (list: readonly Scored[]): Scored[] =>
  [...list].sort((a, b) => b.score - a.score || a.trial - b.trial);

/** The trial to take: the best of those that were trained to the end. */
export const bestOf = (plan: Plan, told: readonly Told[]): Scored | undefined => {
  const ends = told.filter((t) => t.piece.to >= plan.steps);
  return ranked(scored(plan, ends).filter((s) => Number.isFinite(s.score)))[0];
};
