import type { Task } from "@reins/core";
import { scoreOf } from "@reins/core/episodes";
import { characters } from "@reins/language";
import type { PromptSet } from "@reins/recipes/language";
import { sumsTask } from "../testbeds/sums.ts";

/** Group sizes with this total: `least` for each, the rest in proportion to the rank of the problem, from 0 (easiest) to 1. */
export function byRank(ranks: readonly number[], total: number, least: number, most: number): number[] {
  const sum = ranks.reduce((a, b) => a + b, 0);
  const free = total - least * ranks.length;
  const sizes = ranks.map((rank) => Math.floor(least + (free * rank) / sum));
  let left = total - sizes.reduce((a, b) => a + b, 0);
  for (const i of [...ranks.keys()].sort((a, b) => ranks[b] - ranks[a])) {
    const added = Math.min(left, Math.max(0, most - sizes[i]));
    sizes[i] += added;
    left -= added;
  }
  return sizes;
}

const vocabulary = Math.log(characters(sumsTask.alphabet).size);

/** The temperature after an update that left this entropy: T (1 + T ln(target / entropy) / (ln V + ln ln V)). */
export const heated = (t: number, entropy: number, target: number): number =>
  t * (1 + (t * Math.log(target / entropy)) / (vocabulary + Math.log(vocabulary)));

/** From the second epoch on harder problems have larger groups; the temperature holds the entropy of the first update. */
export const e3 =
  (heats: boolean) =>
  ({ all = [], groups = 0, ...given }: Task & Partial<PromptSet>): { task: Task } => {
    const counts = new Map(all.map((p) => [p.key, { solved: 0, samples: 0 }]));
    let ranks = new Map<string, number>();
    let [batches, temperature, target]: [number, number, number?] = [0, 1, undefined];
    const rerank = () => {
      const rate = ({ key }: { key: string }) => counts.get(key)!.solved / (counts.get(key)!.samples || 1);
      const sorted = [...all].sort((a, b) => rate(b) - rate(a));
      ranks = new Map(sorted.map((p, i) => [p.key, i / all.length]));
    };
    return {
      task: {
        next(statistics) {
          const problems = given.next(statistics);
          const entropy = statistics.get("policy/entropy")?.last;
          if (entropy !== undefined && target !== undefined && heats)
            temperature = heated(temperature, entropy, target);
          target ??= entropy;
          const epoch = Math.floor((batches++ * groups) / all.length);
          if (epoch > 0 && ((batches - 1) * groups) % all.length === 0) rerank();
          const size = all[0].groupSize;
          const [least, most] = [
            Math.max(size / 2, size - 2 * epoch),
            Math.min(1.5 * size, size + 2 * epoch),
          ];
          const own = problems.map((p) => ranks.get(p.key) ?? 1);
          const sizes = byRank(own, size * problems.length, least, most);
          return problems.map((p, i) => ({
            ...p,
            group: p.key,
            groupSize: sizes[i],
            context: { ...p.context, temperature },
          }));
        },
        observe(judged) {
          for (const j of judged) {
            const count = counts.get(j.episode.group ?? "")!;
            count.solved += Number(scoreOf(j) >= 1);
            count.samples++;
          }
        },
      },
    };
  };
