import type { Snapshot, Task, TaskItem } from "@reins/core";
import { defaultRng, stream } from "@reins/core/random";

/** Settings of {@link promptSet}. */
export interface PromptSetOptions {
  readonly levels: readonly number[];
  /** Number of problems of each level. */
  readonly perLevel: number;
  /** Problems per batch. */
  readonly groups: number;
  readonly groupSize: number;
  readonly seed: number;
}

/** A fixed set of training problems, whose members methods can select by name. */
export interface PromptSet extends Task {
  /** All problems, level by level. Their keys are unique. */
  readonly all: readonly TaskItem[];
  readonly groups: number;
}

/** A fixed set of problems in shuffled epochs, so that statistics of a problem are seen again. */
export function promptSet({ levels, perLevel, groups, groupSize, seed }: PromptSetOptions): PromptSet {
  const all = levels.flatMap((level) =>
    Array.from(
      { length: perLevel },
      (_, i): TaskItem => ({
        key: `level ${level} #${i}`,
        context: { level },
        seed: stream(stream(seed, "prompts", level), "prompt", i),
        groupSize,
      }),
    ),
  );
  const random = defaultRng(stream(seed, "order"));
  let order: Int32Array = new Int32Array(0);
  let taken = 0;
  return {
    all,
    groups,
    next: () =>
      Array.from({ length: groups }, () => {
        if (taken % all.length === 0) order = random.permutation(all.length);
        return all[order[taken++ % all.length]];
      }),
    save: (): Snapshot => ({ random: random.save(), order: order.slice(), taken }),
    restore(from) {
      const s = from as { random: Uint32Array; order: Int32Array; taken: number };
      random.restore(s.random);
      order = s.order.slice();
      taken = s.taken;
    },
  };
}
