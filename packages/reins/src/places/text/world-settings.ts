import type { Tuned } from "@reins/algorithms";
import type { EnvOptions } from "../source.ts";

/** What a tiny model learns a world by: GRPO's settings, the warm-up before it, and how answers are drawn. */
interface WorldSettings {
  readonly grpo: Tuned;
  readonly warmUp: number;
  readonly sampling: { readonly temperature: number };
}

/** Found at level 1, from warm-ups after which at most one problem in five is solved: docs/worlds.md has what came of them. */
const found: { readonly [world: string]: WorldSettings } = {
  "text-maze": {
    grpo: {
      steps: 600_000,
      options: { learningRate: 6e-4, epochs: 2, clipNorm: 1, groups: 32, plays: 16 },
    },
    warmUp: 16_000,
    sampling: { temperature: 0.6 },
  },
};

/** Settings of a world for a tiny model, where some were found at this level. */
export function worldSettings(name: string, { level, folder }: EnvOptions): WorldSettings | undefined {
  return level === 1 && folder === undefined && Object.hasOwn(found, name) ? found[name] : undefined;
}
