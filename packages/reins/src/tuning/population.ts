import { defaultRng, stream } from "@reins/core/random";
import { sampleSettings } from "./random.ts";
import {
  nextMissing,
  type Piece,
  type PieceResult,
  rank,
  type Search,
  type SearchPlan,
  scoredTrials,
} from "./search.ts";
import { placesOf, type Settings, settingsAt, valueAt } from "./space.ts";

/** Number of generations; after each, the worst trials copy the best. */
export const generations = 8;
/** Share of the population that is replaced, and share that is copied. */
const share = 0.25;
/** Probability that a copied setting is resampled; otherwise it is perturbed by at most a fifth of its range. */
const resample = 0.25;

/** Steps at which a generation ends. */
export const endOf = (steps: number, generation: number): number =>
  Math.round((steps * (generation + 1)) / generations);

/**
 * Population-based training (Jaderberg et al., 2017): all trials are trained in parallel, and after each generation the worst quarter copies the
 * agents and the perturbed settings of the best. The result is a schedule of settings.
 */
export const population: Search = (plan, results, running) => {
  for (let generation = 0; generation < generations; generation++) {
    const members = membersOf(plan, results, generation);
    if (!members) return "wait";
    const pieces = members.map(({ settings, parent }, trial): Piece => {
      const seed = plan.seeds[trial % plan.seeds.length];
      const other = parent !== undefined && parent !== trial ? { parent } : {};
      return { trial, seed, settings, to: endOf(plan.steps, generation), rung: generation, ...other };
    });
    const piece = nextMissing(pieces, results, running);
    if (piece) return piece;
  }
  return running.length ? "wait" : "done";
};

interface Member {
  readonly settings: Settings;
  readonly parent?: number;
}

/** Settings and parent of each trial in a generation; undefined until the previous generation is finished. */
function membersOf(
  plan: SearchPlan,
  results: readonly PieceResult[],
  generation: number,
): Member[] | undefined {
  const every = Array.from({ length: plan.trials }, (_, trial) => trial);
  if (generation === 0) return every.map((trial) => ({ settings: sampleSettings(plan, trial) }));
  const before = rank(
    scoredTrials({ ...plan, seeds: [0] }, results).filter((s) => s.rung === generation - 1),
  );
  if (before.length < plan.trials) return undefined;
  const count = Math.floor(plan.trials * share);
  const [best, worst] = [before.slice(0, count), before.slice(plan.trials - count).map((s) => s.trial)];
  return every.map((trial) => {
    const own = before.find((s) => s.trial === trial)!;
    const failed = !Number.isFinite(own.score);
    if ((!worst.includes(trial) && !failed) || !best.length) return { settings: own.settings };
    const random = defaultRng(stream(plan.seed, `heir of generation ${generation}`, trial));
    const { trial: parent, settings } = best[Math.floor(random.random() * best.length)];
    return { settings: perturbed(plan, settings, () => random.random()), parent };
  });
}

/** Perturbs or resamples settings. */
function perturbed({ space }: SearchPlan, settings: Settings, random: () => number): Settings {
  const places = placesOf(space, settings);
  return Object.fromEntries(
    space.map((d, i) => {
      if (random() < resample) return [d.name, valueAt(d, random())];
      if ("choices" in d) return [d.name, settings[d.name]];
      const place = Math.min(1, Math.max(0, places[i] + 0.2 * (2 * random() - 1)));
      return [d.name, settingsAt([d], [place])[d.name]];
    }),
  );
}

/** The pieces of a trial and its ancestors, by generation. */
export function lineageOf(results: readonly PieceResult[], trial: number): Piece[] {
  const line: Piece[] = [];
  for (let [at, rung] = [trial, generations - 1]; rung >= 0; rung--) {
    const piece = results.find((t) => t.piece.trial === at && t.piece.rung === rung)?.piece;
    if (!piece) break;
    line.unshift(piece);
    at = piece.parent ?? at;
  }
  return line;
}
