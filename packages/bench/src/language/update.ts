import { grpo } from "@reins/algorithms";
import { Run, text } from "@reins/core";
import { characters, type LanguageModel, newModel, textStage, textTask } from "@reins/language";
import { random, type Tensor, tensor } from "@reins/tensor";
import { type ModelSize, update } from "./benchmarks.ts";

/** A run whose rounds are whole GRPO updates: sampling the completions, verifying them, and one AdamW step on all of them. */
export function grpoUpdates(size: ModelSize): () => Promise<number> {
  const { prompts, completions, prompt, completion } = update;
  const tokenizer = characters(alphabetOf(size.vocabulary));
  const context = prompt + completion;
  const model = newModel({ ...size, context, style: "llama" }, random.key(0));
  const run = new Run({
    algorithm: grpo({ learningRate: 1e-6, groups: prompts, groupSize: completions, epochs: 1, clipNorm: 1 }),
    env: {
      spec: { id: task.id, observation: text(prompt), action: text(completion), maxSteps: completion },
      stage: textStage({
        task: task,
        level: 1,
        start: withoutEnd(model, tokenizer.end),
        tokenizer,
        rows: prompts * completions,
        limit: completion,
      }),
    },
    steps: 1e12,
    seed: 1,
  });
  return async () => {
    const [before, start] = [run.steps, performance.now()];
    await run.round();
    const seconds = (performance.now() - start) / 1e3;
    const expected = prompts * completions * completion;
    if (run.steps - before !== expected)
      throw new Error(`An update had ${run.steps - before} completion tokens instead of ${expected}.`);
    return seconds;
  };
}

const alphabetOf = (vocabulary: number) =>
  String.fromCodePoint(...Array.from({ length: vocabulary - 2 }, (_, i) => 0x100 + i));

/** Prompts of random characters; the reward is the share of characters from the first half of the alphabet. */
const task = textTask<object>({
  id: "bench-halves",
  about: "Write characters from the first half of the alphabet.",
  levels: 1,
  alphabet: alphabetOf(256),
  longest: { prompt: update.prompt, answer: update.completion },
  make(generator) {
    const prompt = Array.from({ length: update.prompt }, () => generator.choice(alphabetOf(256))).join("");
    return { prompt, answer: prompt, data: {} };
  },
  verify: (_, answer) => ({
    score: [...answer].filter((c) => c.codePointAt(0)! < 0x100 + 127).length / update.completion,
  }),
});

/** The model with an end token that is never sampled, so that every completion has its full length. */
function withoutEnd(model: LanguageModel, end: number): LanguageModel {
  const { params } = model;
  const edit = (t: Tensor, write: (data: Float32Array, columns: number) => void) => {
    const data = Float32Array.from(t.data);
    write(data, t.shape[1]);
    return tensor(data, { shape: t.shape });
  };
  // The first feature of every position is large and positive; the end token's logit is minus a multiple of it.
  const table = edit(params.tokens.table, (data, columns) => {
    for (let at = 0; at < data.length; at += columns) data[at] = 1;
  });
  const weight = edit(params.head!.weight, (data) => {
    data[end] = -50;
  });
  return {
    ...model,
    params: { ...params, tokens: { ...params.tokens, table }, head: { ...params.head!, weight } },
  };
}
