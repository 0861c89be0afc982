import {
  type Algorithm,
  type AlgorithmMaker,
  type EpisodeEnvironment,
  type OptionsOf,
  type OptionTable,
  type ResolvedOptions,
  Run,
  type RunOptions,
  type Setting,
  type Stage,
  text,
} from "@reins/core";
import { liveSettings } from "@reins/core/settings";
import { characters, newModel, type TextStageOptions, textStage, textTask } from "@reins/language";
import { leaves, random, type Tree } from "@reins/tensor";
import { expect } from "vitest";

/** Answers must contain the letters that end the prompt: a model that writes random text is sometimes right. */
export const finding = textTask<{ letters: string }>({
  id: "finding",
  about: "Write a text that contains some letters.",
  levels: 2,
  alphabet: "abc:",
  longest: { prompt: 7, answer: 4 },
  make(random, level) {
    const draw = (n: number) => Array.from({ length: n }, () => "abc"[random.integers(3)]).join("");
    const letters = draw(level);
    return { prompt: `${draw(4)}:${letters}`, answer: `${letters}a`, data: { letters } };
  },
  verify: ({ data }, answer) => ({
    score: answer.includes(data.letters) ? 1 : 0,
    wellFormed: /^[abc]+$/.test(answer),
  }),
});

const tokenizer = characters(finding.alphabet);

/** A tiny model, identical each time. */
export const model = newModel(
  { layers: 1, width: 8, heads: 2, context: 16, vocabulary: tokenizer.size, style: "llama", deviation: 0.3 },
  random.key(1),
);

/** A stage with a tiny model. */
export const stageOf = (more: Partial<TextStageOptions> = {}): Stage =>
  textStage({ task: finding, level: 1, start: model, tokenizer, rows: 16, ...more });

/** A stage as an environment for runs. */
export const placeOf = (stage: Stage): EpisodeEnvironment => ({
  spec: { id: "finding", observation: text(7), action: text(4) },
  stage,
});

/** A run of an algorithm on the tiny stage. */
export const runOf = (algorithm: Algorithm, more: Partial<RunOptions> = {}): Run =>
  new Run({ algorithm, env: placeOf(stageOf()), steps: 100_000, seed: 3, ...more });

/** An algorithm's live settings: its defaults and the given ones. */
export function settingsOf<T extends OptionTable>(
  maker: AlgorithmMaker<T>,
  given: OptionsOf<T> = {},
): ResolvedOptions<T> {
  const { options } = maker(given);
  const alive = Object.entries(maker.definition.options).map(([name, option]) => [
    name,
    option.kind === "setting"
      ? liveSettings(name, { setting: options[name] as Setting, per: option.per })
      : options[name],
  ]);
  return Object.fromEntries(alive) as ResolvedOptions<T>;
}

/** All numbers of a tree of tensors. */
export const numbersOf = (tree: Tree): number[] => leaves(tree).flatMap((t) => Array.from(t.data));

/** The weights of a run, as a list of numbers. */
export const weightsOf = (run: Run): number[] => numbersOf(run.process.acting!.weights);

/** Runs this many rounds. */
export async function rounds(run: Run, n: number): Promise<Run> {
  for (let i = 0; i < n; i++) await run.round();
  return run;
}

/** Expects numbers to be equal within a tolerance. */
export function expectNear(found: readonly number[], wanted: readonly number[], tolerance = 1e-6): void {
  expect(found.length).toBe(wanted.length);
  const far = found.findIndex((x, i) => !(Math.abs(x - wanted[i]) <= tolerance));
  if (far >= 0) expect.fail(`number ${far} is ${found[far]}; expected ${wanted[far]}`);
}
