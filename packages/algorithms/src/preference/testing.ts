import {
  type AlgorithmMaker,
  type EnvSpec,
  type OptionTable,
  Run,
  type RunOptions,
  type Stage,
  text,
} from "@reins/core";
import { type Candidate, characters, newModel, sampleProblem, textStage, textTask } from "@reins/language";
import type { GptParams } from "@reins/nn";
import { random } from "@reins/tensor";
import { sft } from "../sft.ts";

/** Utility of a text: the share of its four letters that are `a`. */
export const utility = (text: string) => [...text.slice(0, 4)].filter((c) => c === "a").length / 4;

/** Each prompt has completions of random letters, whose scores are their utilities. */
const comparing = (count: number, scale = 1) =>
  textTask<object>({
    id: "comparing",
    about: "Write letters.",
    levels: 1,
    alphabet: "abc:\n",
    longest: { prompt: 4, answer: 6 },
    make(random) {
      const letters = (n: number) => Array.from({ length: n }, () => "abc"[random.integers(3)]).join("");
      const candidates: Candidate[] = Array.from({ length: count }, () => {
        const words = letters(4);
        return { text: words, score: scale * utility(words) };
      });
      return { prompt: `${letters(3)}:`, answer: letters(4), candidates, data: {} };
    },
    verify: (_, answer) => ({ score: utility(answer) }),
  });

const spec: EnvSpec = { id: "comparing", observation: text(4), action: text(6) };
const tokenizer = characters(comparing(2).alphabet);
const fresh = newModel(
  { layers: 1, width: 16, heads: 2, context: 16, vocabulary: tokenizer.size, style: "llama", deviation: 0.3 },
  random.key(1),
);
let start = fresh;

/** A stage with a tiny model: untrained, or as {@link imitate} left it. */
export function comparingStage(count = 2, listed?: number, scale = 1): Stage {
  const task = comparing(count, scale);
  const train = Array.from({ length: listed ?? 0 }, (_, i) => sampleProblem(task, 1, "train", i));
  return textStage({
    task: listed === undefined ? task : { ...task, listed: { train, test: train } },
    level: 1,
    start,
    tokenizer,
    rows: 16,
  });
}

/** Trains the model on random letters, identical each time. */
export async function imitate(): Promise<void> {
  start = fresh;
  const env = { spec, stage: comparingStage() };
  const run = new Run({ algorithm: sft({ learningRate: 1e-2, validation: 0 }), env, steps: 10_000, seed: 1 });
  await run.advanceAsync();
  start = { ...fresh, params: run.process.acting!.weights as GptParams };
}

/** The completions of each problem, the number of problems if they are a list, and the highest score (default 1). */
interface Comparing {
  readonly candidates?: number;
  readonly listed?: number;
  readonly scale?: number;
}

/** A run of a preference method on the tiny stage. */
export function runOf(
  maker: AlgorithmMaker<OptionTable>,
  options: object = {},
  { candidates = 2, listed, scale, ...more }: Partial<RunOptions> & Comparing = {},
): Run {
  const algorithm = maker({ batch: 8, learningRate: 3e-3, ...options });
  const stage = comparingStage(candidates, listed, scale);
  const env = { spec, stage };
  return new Run({ algorithm, env, steps: 1_000_000, seed: 3, ...more });
}
