import { currentBackend } from "@reins/tensor";
import { type Request, takeTurns } from "../child.ts";
import { sample } from "../sample.ts";
import { languageBenchmarks, models } from "./benchmarks.ts";
import { generating } from "./generation.ts";
import { grpoRounds } from "./grpo.ts";
import { training } from "./training.ts";
import { grpoUpdates } from "./update.ts";

// The Reins side of a benchmark; backend and threads come from environment variables.
await takeTurns(async ({ name, seconds }: Request) => {
  const { kind, model } = languageBenchmarks.find((b) => b.name === name)!;
  const version = `reins on ${currentBackend().name}`;
  if (kind === "train") {
    const work = training(models[model!]);
    const values = Array.from({ length: 5 }, () => {
      work.run();
      return work.loss();
    });
    // These steps are the warm-up, and one step is long enough for the clock.
    return { ready: { version, values }, round: () => sample(work, 1, seconds) };
  }
  if (kind === "generate") {
    const generate = generating(models[model!]);
    generate();
    return { ready: { version, values: [] }, round: async () => [generate()] };
  }
  if (kind === "update") {
    const update = grpoUpdates(models[model!]);
    // The first compiles.
    for (let i = 0; i < 2; i++) await update();
    return { ready: { version, values: [] }, round: () => several(update, seconds) };
  }
  const round = await grpoRounds();
  // Shapes are compiled until then.
  for (let i = 0; i < 5; i++) await round();
  return { ready: { version, values: [] }, round: () => several(round, seconds) };
});

/** Samples for the time budget, at least three. */
async function several<T>(make: () => Promise<T>, budget: number): Promise<T[]> {
  const samples: T[] = [];
  for (const end = performance.now() + budget * 1e3; samples.length < 3 || performance.now() < end; )
    samples.push(await make());
  return samples;
}
