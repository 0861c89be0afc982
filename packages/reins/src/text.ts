import { sft, type Tuned } from "@reins/algorithms";
import { fail, phases, text } from "@reins/core";
import { random } from "@reins/tensor";
import type { EnvOptions, Source } from "./source.ts";

/** Options of a task in words, with what they are by default. */
const defaults = {
  /** Difficulty, from 1 on. */
  level: 2,
  /** The model, from nothing: blocks, width and heads. */
  layers: 2,
  width: 64,
  heads: 4,
  /** Answer tokens that are imitated before reinforcement begins. */
  warmUp: 550_000,
  /** Texts written at the same time. */
  rows: 512,
};

/** What suits tiny models on most tasks. Steps are tokens, those of the warm-up among them. */
const groups: Tuned = {
  steps: 2_800_000,
  options: { learningRate: 1.5e-4, groups: 32, plays: 16, epochs: 1, clipNorm: 1 },
};
const alone: Tuned = { ...groups, options: { ...groups.options, groups: 512, plays: 1 } };
const settings: { readonly [algorithm: string]: Tuned } = {
  grpo: groups,
  "dr-grpo": groups,
  dapo: groups,
  gspo: groups,
  cispo: groups,
  rloo: groups,
  "reinforce++": alone,
  remax: alone,
  ppo: {
    steps: 2_800_000,
    options: {
      learningRate: 1.5e-4,
      envs: 512,
      epochs: 1,
      minibatches: 1,
      gamma: 1,
      lambda: 1,
      clipNorm: 1,
      entropyWeight: 0,
      normalise: "batch",
    },
  },
  reinforce: {
    steps: 2_800_000,
    options: { learningRate: 1.5e-4, episodes: 512, gamma: 1, clipNorm: 1 },
  },
  rejection: { steps: 2_800_000, options: { learningRate: 3e-4, groups: 32, plays: 16 } },
  sft: { steps: 2_000_000, options: { learningRate: 3e-3, batch: 256 } },
};

/** The algorithms that learn from answers in words. */
export const inWords = Object.keys(settings);

/** A task in words as a source: a tiny model that reads characters, and the family's verifier. Undefined where there is none of that name. */
export async function textSource(name: string, options: EnvOptions = {}): Promise<Source | undefined> {
  const language = await import("@reins/language");
  const family = Object.hasOwn(language.families, name) ? language.families[name] : undefined;
  if (!family) return undefined;
  const unknown = Object.keys(options).find((o) => !(o in defaults));
  if (unknown !== undefined)
    fail(name, `there is no option ${unknown}. There are ${Object.keys(defaults).join(", ")}.`);
  const o = { ...defaults, ...options } as typeof defaults;
  if (!(o.level >= 1 && o.level <= family.levels))
    fail(name, `there is no level ${o.level}. Levels go from 1 to ${family.levels}.`);
  const tokenizer = language.characters(family.alphabet);
  const { prompt, answer } = family.longest;
  const start = language.newModel(
    {
      layers: o.layers,
      width: o.width,
      heads: o.heads,
      context: 16 * Math.ceil((prompt + answer + 2) / 16),
      vocabulary: tokenizer.size,
      style: "llama",
    },
    random.key(0),
  );
  const nothing = () => fail(name, "it is answered in words: there is nothing to step.");
  return {
    spec: {
      id: family.id,
      observation: text(prompt),
      action: text(answer),
      maxSteps: answer + 1,
      solvedAt: 0.95,
    },
    options,
    savable: true,
    stage: language.textStage({ family, level: o.level, start, tokenizer, rows: o.rows }),
    make: nothing,
    one: nothing,
    tuned: (algorithm) => settings[algorithm],
    prepare(algorithm) {
      if (!inWords.includes(algorithm.name))
        fail(
          algorithm.name,
          `it does not learn from answers in words. ${inWords.join(", ")} do: reins train grpo ${name}.`,
        );
      return algorithm.name === "sft" || o.warmUp <= 0
        ? algorithm
        : phases(algorithm.name, [
            { algorithm: sft({ batch: 256, learningRate: 3e-3 }), steps: o.warmUp },
            { algorithm },
          ]);
    },
  };
}
