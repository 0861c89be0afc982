/**
 * A multi-turn game: the environment picks one of fifteen letters, and replies to each guess whether the letter comes before (`<`) or after
 * (`>`) it. Binary search needs at most four guesses.
 *
 * The untrained model first imitates random guesses. Then PPO rewards finding the letter, and the model learns to use the replies.
 *
 *     npx vite-node examples/guesser.ts [--seed N] [--quick]
 */

import { ppo, train } from "reins";
import { textTask } from "reins/language";
import { percent, quick, seed, shows } from "./show.ts";

const letters = "abcdefghijklmno";

const guesser = textTask<{ secret: string }, { secret: string }>({
  id: "guesser",
  about: "Find a secret letter.",
  levels: 1,
  alphabet: `0123456789<>${letters}`,
  longest: { prompt: 3, answer: 1, conversation: 20 },
  // The prompt is a random number, unrelated to the letter.
  make(random) {
    const secret = random.choice([...letters]);
    return { prompt: `${random.integers(1000)}`, answer: secret, data: { secret } };
  },
  verify: ({ answer }, said) => ({ score: said === answer ? 1 : 0, wellFormed: letters.includes(said) }),
  episode: {
    turns: 4,
    turn({ secret }, { content }) {
      if (content === secret) return { done: true };
      return { say: content > secret ? "<" : ">" };
    },
    players: { expert: (_, __, random) => random.choice([...letters]) },
  },
});

const supervisedTokens = quick ? 1000 : 20_000;
let before: number | undefined;
const trained = await train({
  algorithm: ppo({
    learningRate: 2e-3,
    envs: quick ? 8 : 128,
    epochs: 2,
    minibatches: 4,
    gamma: 1,
    lambda: 0.95,
    entropyWeight: 0.01,
  }),
  env: guesser,
  envOptions: { layers: 2, width: 32, supervisedTokens, supervisedBatch: 32 },
  steps: supervisedTokens + (quick ? 1000 : 400_000),
  seed,
  evalEpisodes: quick ? 8 : 100,
  onProgress: shows(20),
  callbacks: {
    onUpdate(metrics) {
      if (metrics.episodes) before ??= metrics["reward/mean"];
    },
  },
});
const { mean, answers = [] } = await trained.evaluate(quick ? 8 : 100, { greedy: false });
console.log(
  `Before: ${percent(before!)} of the letters are found in four guesses. After: ${percent(mean)}. Examples:`,
);
for (const { prompt, answer } of answers.slice(0, 3))
  console.log(`  ${prompt}  ${answer.replaceAll("\n", " ")}`);
