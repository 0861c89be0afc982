import { defaultRng, stream } from "@reins/core";
import { drawn } from "./random.ts";
import { missing, type Piece, type Plan, ranked, type Search, scored, type Told } from "./search.ts";
import { placesOf, type Settings, settingsAt, valueAt } from "./space.ts";

/** Pieces of a whole training: after each, the worst take over from the best. */
export const generations = 8;
/** The share of the population that is replaced, and as many are copied. */
const share = 0.25;
/** How often a copied setting is drawn anew; otherwise it moves by a fifth of its range or less. */
const anew = 0.25;

/** Steps at which a generation ends; before the first, none. */
export const endOf = (steps: number, generation: number): number =>
  Math.round((steps * (generation + 1)) / generations);

/**
 * Population-based training (Jaderberg et al., 2017): all trials are trained side by side, and after each part of the steps the worst quarter goes on
 * with the agents and the changed settings of the best. What is found is not one point but a course of settings.
 */
export const population: Search = (plan, told, running) => {
  for (let generation = 0; generation < generations; generation++) {
    const members = membersOf(plan, told, generation);
    if (!members) return "wait";
    const pieces = members.map(({ settings, parent }, trial): Piece => {
      const seed = plan.seeds[trial % plan.seeds.length];
      const other = parent !== undefined && parent !== trial ? { parent } : {};
      return { trial, seed, settings, to: endOf(plan.steps, generation), rung: generation, ...other };
    });
    const piece = missing(pieces, told, running);
    if (piece) return piece;
  }
  return running.length ? "wait" : "done";
};

interface Member {
  readonly settings: Settings;
  readonly parent?: number;
}

/** What each trial has in a generation; undefined as long as the one before it is not done. */
function membersOf(plan: Plan, told: readonly Told[], generation: number): Member[] | undefined {
  const every = Array.from({ length: plan.trials }, (_, trial) => trial);
  if (generation === 0) return every.map((trial) => ({ settings: drawn(plan, trial) }));
  const before = ranked(scored({ ...plan, seeds: [0] }, told).filter((s) => s.rung === generation - 1));
  if (before.length < plan.trials) return undefined;
  const count = Math.floor(plan.trials * share);
  const [best, worst] = [before.slice(0, count), before.slice(plan.trials - count).map((s) => s.trial)];
  return every.map((trial) => {
    const own = before.find((s) => s.trial === trial)!;
    const failed = !Number.isFinite(own.score);
    if ((!worst.includes(trial) && !failed) || !best.length) return { settings: own.settings };
    const random = defaultRng(stream(plan.seed, `heir of generation ${generation}`, trial));
    const { trial: parent, settings } = best[Math.floor(random.random() * best.length)];
    return { settings: changed(plan, settings, () => random.random()), parent };
  });
}

/** Settings near others. */
function changed({ space }: Plan, settings: Settings, random: () => number): Settings {
  const places = placesOf(space, settings);
  return Object.fromEntries(
    space.map((d, i) => {
      if (random() < anew) return [d.name, valueAt(d, random())];
      if ("choices" in d) return [d.name, settings[d.name]];
      const place = Math.min(1, Math.max(0, places[i] + 0.2 * (2 * random() - 1)));
      return [d.name, settingsAt([d], [place])[d.name]];
    }),
  );
}

/** The pieces of the best trial and of those that it came from, in the order of generations. */
export function lineOf(told: readonly Told[], trial: number): Piece[] {
  const line: Piece[] = [];
  for (let [at, rung] = [trial, generations - 1]; rung >= 0; rung--) {
    const piece = told.find((t) => t.piece.trial === at && t.piece.rung === rung)?.piece;
    if (!piece) break;
    line.unshift(piece);
    at = piece.parent ?? at;
  }
  return line;
}
