import { meanOf } from "@reins/core/evaluations";
import type { Settings, Space } from "./space.ts";

/** A piece of a trial: a training job with one seed, up to a number of steps. */
export interface Piece {
  readonly trial: number;
  readonly seed: number;
  readonly settings: Settings;
  /** Environment steps at which it ends; it starts where the previous piece ended. */
  readonly to: number;
  /** Number of earlier pieces of this trial. */
  readonly rung: number;
  /** The trial whose agent it continues, if it is not its own. */
  readonly parent?: number;
}

/** A finished piece and its score; minus infinity if it failed. */
export interface PieceResult {
  readonly piece: Piece;
  readonly score: number;
}

/** Input of a search. */
export interface SearchPlan {
  readonly space: Space;
  readonly trials: number;
  /** Steps of a whole training. */
  readonly steps: number;
  /** Tuning seeds; the test uses others. */
  readonly seeds: readonly number[];
  /** Seed of the search. */
  readonly seed: number;
}

/**
 * A search method: returns the next piece, given all results and running pieces. It is stateless, so that a search can continue from its journal.
 */
export type Search = (
  plan: SearchPlan,
  results: readonly PieceResult[],
  running: readonly Piece[],
) => Piece | "wait" | "done";

export const samePiece = (a: Piece, b: Piece): boolean =>
  a.trial === b.trial && a.seed === b.seed && a.rung === b.rung;

/** The first piece that is neither finished nor running. */
export function nextMissing(
  pieces: readonly Piece[],
  results: readonly PieceResult[],
  running: readonly Piece[],
): Piece | undefined {
  const isStarted = (p: Piece) =>
    results.some((t) => samePiece(t.piece, p)) || running.some((r) => samePiece(r, p));
  return pieces.find((p) => !isStarted(p));
}

/** The pieces of a trial at a rung, one per seed. */
export const piecesOf = (
  plan: SearchPlan,
  trial: number,
  settings: Settings,
  rung: number,
  to: number,
): Piece[] => plan.seeds.map((seed) => ({ trial, seed, settings, to, rung }));

/** A trial that has finished a rung with all seeds. */
export interface ScoredTrial {
  readonly trial: number;
  readonly settings: Settings;
  readonly rung: number;
  /** Mean over seeds. */
  readonly score: number;
}

/** All finished trials, sorted by trial and rung. A failed seed makes the score minus infinity. */
export function scoredTrials(plan: SearchPlan, results: readonly PieceResult[]): ScoredTrial[] {
  const groups = new Map<string, PieceResult[]>();
  for (const t of results) {
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

/** Sorts by score, best first; ties by trial. */
export const rank = (list: readonly ScoredTrial[]): ScoredTrial[] =>
  [...list].sort((a, b) => b.score - a.score || a.trial - b.trial);

/** The best trial that was trained to the end. */
export const bestOf = (plan: SearchPlan, results: readonly PieceResult[]): ScoredTrial | undefined => {
  const ends = results.filter((t) => t.piece.to >= plan.steps);
  return rank(scoredTrials(plan, ends).filter((s) => Number.isFinite(s.score)))[0];
};
