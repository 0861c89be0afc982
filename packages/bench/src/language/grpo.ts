import { grpo, sft } from "@reins/algorithms";
import { type EpisodeSource, phases, Run, type Stage, text } from "@reins/core";
import { answerLimit, arithmetic, characters, contextLength, newModel, textStage } from "@reins/language";
import { random } from "@reins/tensor";

/** The seconds of the parts of an update, and its answer tokens. */
export interface GrpoSample {
  readonly generation: number;
  readonly judging: number;
  readonly learning: number;
  readonly tokens: number;
}

/** Answer tokens of supervised fine-tuning: enough to learn the end of an answer. */
const warmUp = 100_000;

/** Updates of GRPO on arithmetic, with the settings of `reins train grpo arithmetic`. */
export async function grpoRounds(): Promise<() => Promise<GrpoSample>> {
  const spent = { generation: 0, judging: 0 };
  const run = new Run({
    algorithm: phases("grpo", [
      { algorithm: sft({ batch: 256, learningRate: 3e-3, validation: 0 }), steps: warmUp },
      { algorithm: grpo({ learningRate: 1.5e-4, groups: 32, groupSize: 16, epochs: 1, clipNorm: 1 }) },
    ]),
    env: { ...source, stage: timed(stage(), spent) },
    steps: 1e12,
    seed: 1,
  });
  while (run.steps < warmUp) await run.round();
  return async () => {
    Object.assign(spent, { generation: 0, judging: 0 });
    const [before, start] = [run.steps, performance.now()];
    await run.round();
    const whole = (performance.now() - start) / 1e3;
    return { ...spent, learning: whole - spent.generation - spent.judging, tokens: run.steps - before };
  };
}

const { prompt, answer } = arithmetic.longest;

const source = {
  spec: {
    id: arithmetic.id,
    observation: text(prompt),
    action: text(answer),
    maxSteps: answerLimit(arithmetic),
  },
};

function stage(): Stage {
  const tokenizer = characters(arithmetic.alphabet);
  const context = contextLength(arithmetic);
  const start = newModel(
    { layers: 2, width: 64, heads: 4, context, vocabulary: tokenizer.size, style: "llama" },
    random.key(0),
  );
  return textStage({ task: arithmetic, level: 2, start, tokenizer, rows: 512 });
}

/** A stage that sums the seconds of generation and judging. */
function timed(inner: Stage, spent: { generation: number; judging: number }): Stage {
  const since = (start: number) => (performance.now() - start) / 1e3;
  return {
    ...inner,
    play(playing): EpisodeSource {
      const own = inner.play(playing);
      return {
        get steps() {
          return own.steps;
        },
        next() {
          const start = performance.now();
          const episodes = own.next();
          spent.generation += since(start);
          return episodes;
        },
        save: () => own.save(),
        restore: (from) => own.restore(from),
      };
    },
    async judge(episodes, court) {
      const start = performance.now();
      const verdicts = await inner.judge(episodes, court);
      spent.judging += since(start);
      return verdicts;
    },
  };
}
