/**
 * A custom language task: `textTask` generates problems and verifies answers, `train` trains a model on them.
 *
 *     npx vite-node examples/custom-task.ts [--quick]
 */

import { grpo, train } from "reins";
import { sampleProblem, textTask } from "reins/language";
import { percent, quick, shows } from "./show.ts";

/** Any number between two others: `37<?<42=` may be answered by 38, 39, 40 or 41. */
const between = textTask<{ low: number; high: number }>({
  id: "between",
  about: "Write any whole number between two others.",
  levels: 3,
  alphabet: "0123456789<?=",
  longest: { prompt: 12, answer: 4 },
  make(random, level) {
    const low = random.integers(10 ** level, 9 * 10 ** level);
    const high = low + random.integers(2, 8);
    return { prompt: `${low}<?<${high}=`, answer: `${random.integers(low + 1, high)}`, data: { low, high } };
  },
  verify({ data: { low, high } }, answer) {
    const formed = /^[0-9]+$/.test(answer);
    const right = formed && Number(answer) > low && Number(answer) < high;
    return { score: right ? 1 : 0, wellFormed: formed };
  },
});

const agent = await train({
  algorithm: grpo({ learningRate: 4e-4, groups: quick ? 2 : 32, groupSize: 16, epochs: 1, clipNorm: 1 }),
  env: between,
  envOptions: {
    level: 2,
    layers: 2,
    width: 48,
    supervisedTokens: quick ? 1000 : 60_000,
    rows: quick ? 16 : 512,
  },
  steps: quick ? 1200 : 300_000,
  seed: 1,
  evalEpisodes: quick ? 16 : 200,
  onProgress: shows(),
});
const { mean, episodes } = agent.return;
console.log(`\n${percent(mean)} of ${episodes} held-out problems are solved. Examples:`);
for (let i = 0; i < 5; i++) {
  const problem = sampleProblem(between, 2, "test", i);
  const said = agent.act(problem.prompt) as string;
  const { score } = await between.verify(problem, said);
  console.log(`  ${problem.prompt} ${said}  ${score ? "✓" : "✗"}`);
}
