/**
 * An agent that exists already, written with the AI SDK (`ai`): `generateText` with a tool, as many steps as it takes. It is trained as it is,
 * but for its base URL, by a reward on the finished conversation. The tool rolls a die, at most three times; the last roll is what is paid.
 * Any other word keeps it.
 *
 * The model begins from nothing. A warm-up shows it how turns are written: it rolls, or keeps, by the toss of a coin. Then the agent
 * plays, and one sees that it finds out two things, that a roll is better than none and that a low one is better rolled again: the mean of
 * what it keeps rises from about 1.5 to above 4, in less than a minute. The best that can be done is 4.67.
 *
 *     npm install ai @ai-sdk/openai-compatible zod
 *     npx vite-node examples/ai-agent.ts [--quick]
 */

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs, tool } from "ai";
import { grpo, train } from "reins";
import { type AgentAccess, family, tool as taughtTool } from "reins/language";
import { z } from "zod";
import { quick } from "./show.ts";

interface Rolls {
  /** What the die is going to show, and how often it has been rolled. */
  dice: number[];
  rolled: number;
}

/** The agent. Nothing in it knows of training: it would run with any model behind the same API. */
async function agent({ baseURL, apiKey, model, problem }: AgentAccess<Rolls>): Promise<string> {
  const provider = createOpenAICompatible({ name: "reins", baseURL, apiKey });
  let rolled = 0;
  await generateText({
    model: provider(model),
    prompt: problem.prompt,
    tools: {
      roll: tool({
        description: "Rolls the die.",
        inputSchema: z.object({}),
        execute: () => problem.data.dice[rolled++],
      }),
    },
    stopWhen: stepCountIs(3),
  });
  return rolled === 0 ? "0" : `${problem.data.dice[rolled - 1]}`;
}

const dice = family<Rolls, Rolls>({
  id: "dice",
  about: "Roll the die, at most three times, and keep what it shows.",
  levels: 1,
  alphabet: "0123456789?rol()k",
  longest: { prompt: 4, answer: 6, talk: 32 },
  make(random) {
    const dice = Array.from({ length: 3 }, () => 1 + random.integers(6));
    return { prompt: `${random.integers(1000)}?`, answer: "6", data: { dice, rolled: 0 } };
  },
  verify: (_, kept) => ({ score: /^[0-6]$/.test(kept) ? Number(kept) / 6 : 0 }),
  agent,
  // The rest is for the warm-up alone, which is held without the agent: somebody who tosses a coin.
  tools: [
    taughtTool<object, Rolls>({
      name: "roll",
      about: "Rolls the die.",
      parameters: { type: "object", properties: {} },
      run: (_, { state }) => state.dice[state.rolled++],
    }),
  ],
  players: {
    expert: (_, { turns }, random) => (turns < 3 && random.random() < 0.5 ? "roll()" : "k"),
  },
});

const warmUp = quick ? 1000 : 200_000;
let before: number | undefined;
const trained = await train({
  algorithm: grpo({ learningRate: 3e-3, groups: quick ? 2 : 16, plays: 8, epochs: 1, clipNorm: 1 }),
  env: dice,
  envOptions: { layers: 1, width: 32, heads: 2, warmUp, rows: 32 },
  steps: warmUp + (quick ? 3000 : 30_000),
  seed: 1,
  evalEpisodes: quick ? 8 : 100,
  callbacks: {
    // The warm-up has no episodes: these are the first that the agent played.
    onUpdate(metrics) {
      if (metrics.episodes) before ??= metrics["reward/mean"];
    },
  },
});
const { mean, answers = [] } = await trained.evaluate(quick ? 8 : 100, { greedy: false });
console.log(`Before: ${(6 * before!).toFixed(1)} is kept. After: ${(6 * mean).toFixed(1)}. How it goes now:`);
for (const { answer } of answers.slice(0, 3)) console.log(`  ${answer.replaceAll("\n", "  ")}`);
