import type { JudgedEpisode, Task } from "@reins/core";
import { scoreOf } from "@reins/core/episodes";
import { defaultRng, stream } from "@reins/core/random";
import type { PromptSet } from "@reins/recipes/language";

/** Settings of {@link adaptiveWindow}. */
export interface WindowOptions {
  /** Number of levels that are sampled, up to the top one. */
  readonly width: number;
  /** Accuracy at the top level at which the next one is added. */
  readonly threshold: number;
  /** Problems at the top level after which its accuracy is examined. */
  readonly problems: number;
  /** Place of the first top level among the levels, from 0. */
  readonly first: number;
}

const levelOf = ({ context }: { readonly context?: JudgedEpisode["episode"]["context"] }) =>
  Number(context?.level);

/** Problems of a window of levels, each level as often as the others. The window moves up when the top level has been learned. */
export const adaptiveWindow =
  ({ width, threshold, problems, first }: WindowOptions) =>
  ({ all = [], groups = 0 }: Partial<PromptSet>): { task: Task } => {
    const random = defaultRng(stream(all[0]?.seed ?? 0, "rlve"));
    const levels = [...new Set(all.map(levelOf))].sort((a, b) => a - b);
    const last = levels.length - 1;
    let [top, solved, samples] = [Math.min(first, last), 0, 0];
    return {
      task: {
        next: () =>
          Array.from({ length: groups }, () => {
            const low = Math.max(0, top - width + 1);
            const level = levels[low + random.integers(top - low + 1)];
            const own = all.filter((p) => levelOf(p) === level);
            return own[random.integers(own.length)];
          }),
        observe(judged) {
          const own = judged.filter(({ episode }) => levelOf(episode) === levels[top]);
          solved += own.filter((j) => scoreOf(j) >= 1).length;
          samples += own.length;
          if (samples < problems * (all[0]?.groupSize ?? 1)) return;
          if (solved / samples >= threshold) top = Math.min(last, top + 1);
          [solved, samples] = [0, 0];
        },
        save: () => ({ random: random.save(), top, solved, samples }),
        restore(from) {
          const s = from as { random: Uint32Array; top: number; solved: number; samples: number };
          random.restore(s.random);
          [top, solved, samples] = [s.top, s.solved, s.samples];
        },
      },
    };
  };
