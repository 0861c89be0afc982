/**
 * The benefit of a tool: a tiny model multiplies two numbers, with and without a calculator. Both start untrained, with the same number of
 * tokens of imitation: with the tool, of an expert that mostly guesses and calls it three times out of ten; without it, of right answers.
 * Then both are trained by GRPO.
 *
 *     npx vite-node examples/calculator-agent.ts [--seed N] [--quick]
 */

import { grpo, train } from "reins";
import { textTask, tools } from "reins/language";
import { percent, quick, seed } from "./show.ts";

interface Product {
  a: number;
  b: number;
}

const products = (tool: boolean) =>
  textTask<Product, Product>({
    id: tool ? "products, calculator" : "products, by heart",
    about: "Multiply two numbers.",
    levels: 1,
    alphabet: "0123456789*calc()",
    longest: { prompt: 4, answer: 10, conversation: 28 },
    make(random) {
      const [a, b] = [random.integers(11, 100), random.integers(3, 10)];
      return { prompt: `${a}*${b}`, answer: `${a * b}`, data: { a, b } };
    },
    verify: (problem, said) => ({ score: said === problem.answer ? 1 : 0, wellFormed: /^\d+$/.test(said) }),
    episode: {
      turns: 2,
      tools: tool ? [tools.calculator()] : [],
      players: {
        expert({ prompt, answer }, { turns }, random) {
          if (turns > 0) return answer;
          return random.chance(0.3) ? `calc(${prompt})` : `${random.integers(33, 900)}`;
        },
      },
    },
  });

const supervisedTokens = quick ? 1000 : 200_000;
for (const tool of [true, false]) {
  const trained = await train({
    algorithm: grpo({ learningRate: 2e-3, groups: quick ? 2 : 16, groupSize: 8, epochs: 1, clipNorm: 1 }),
    env: products(tool),
    envOptions: { layers: 2, width: 32, heads: 2, supervisedTokens, supervisedBatch: 32 },
    steps: supervisedTokens + (quick ? 1000 : 100_000),
    seed,
    evalEpisodes: quick ? 8 : 100,
  });
  const { mean, answers = [] } = await trained.evaluate(quick ? 8 : 100, { greedy: false });
  console.log(`${tool ? "With" : "Without"} a calculator: ${percent(mean)} right.`);
  for (const { prompt, answer } of answers.slice(0, 2))
    console.log(`  ${prompt}  ${answer.replaceAll("\n", "  ")}`);
}
