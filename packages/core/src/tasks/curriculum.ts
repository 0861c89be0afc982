import { fail } from "../errors.ts";
import { defaultRng } from "../numpy/index.ts";
import { scoreOf } from "../selection.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Task } from "../task.ts";

/** Settings of {@link curriculum}. */
export interface CurriculumOptions {
  readonly seed: number;
  /** Difficulty levels, from easy to hard. */
  readonly levels: readonly number[];
  readonly groups: number;
  readonly groupSize: number;
  /** Share of problems whose level is sampled uniformly, so that no level is forgotten (default 0.1). */
  readonly explore?: number;
  /** Decay of old estimates per batch (default 0.9). */
  readonly memory?: number;
  /** Reward from which a sample is a success (default 1). */
  readonly least?: number;
}

/**
 * Problems with the most learning signal: a level is sampled in proportion to p (1 − p), where p is its recent success rate.
 * Levels that were never sampled count as half solved. The level is in the problem's context, and in the episode's.
 */
export function curriculum(options: CurriculumOptions): Task {
  const { seed, levels, groups, groupSize, explore = 0.1, memory = 0.9, least = 1 } = options;
  if (levels.length === 0) fail("curriculum", "got no levels. Pass at least one.");
  const random = defaultRng(seed);
  const rates = Float64Array.from(levels, () => 0.5);
  const draw = () => {
    if (random.random() < explore) return random.integers(levels.length);
    const weights = rates.map((p) => p * (1 - p) + 1e-3);
    let left = random.random() * weights.reduce((a, b) => a + b, 0);
    const found = weights.findIndex((w) => (left -= w) < 0);
    return found < 0 ? levels.length - 1 : found;
  };
  return {
    next: () =>
      Array.from({ length: groups }, () => {
        const level = levels[draw()];
        return { key: `level ${level}`, seed: random.integers(2 ** 31), groupSize, context: { level } };
      }),
    observe(judged) {
      levels.forEach((level, i) => {
        const own = judged.filter(
          (j) => (j.episode.context as { level?: number } | undefined)?.level === level,
        );
        if (own.length === 0) return;
        const solved = own.filter((j) => scoreOf(j) >= least).length / own.length;
        rates[i] = memory * rates[i] + (1 - memory) * solved;
      });
    },
    save: (): Snapshot => ({ random: random.save(), rates: rates.slice() }),
    restore(from) {
      const s = from as { random: Uint32Array; rates: Float64Array };
      random.restore(s.random);
      rates.set(s.rates);
    },
  };
}
