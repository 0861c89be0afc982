/**
 * Trains an existing agent written with the AI SDK (`ai`): `generateText` with a tool. Only its base URL changes; the reward is on the
 * finished conversation. The tool tosses a coin, at most three times, and the reward is 1 if it shows 1 in the end. Any text other than a
 * tool call ends the conversation.
 *
 * The model is untrained. A supervised phase teaches it the format of turns: it tosses or ends at random. Then the agent is trained, and learns when to
 * call the tool: at first, and again if the coin shows 0. In about a minute, the share of successful conversations rises from a third to
 * about four fifths (75, 89 and 82 % with seeds 1 to 3). The optimum is seven eighths; tossing always succeeds half the time.
 *
 *     npm install ai @ai-sdk/openai-compatible zod
 *     npx vite-node examples/ai-agent.ts [--quick]
 */

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs, tool } from "ai";
import { grpo, train } from "reins";
import { type AgentAccess, tool as taughtTool, textTask } from "reins/language";
import { z } from "zod";
import { percent, quick } from "./show.ts";

interface Coin {
  /** The results of all tosses, and the number of tosses so far. */
  shows: number[];
  tossed: number;
}

/** The agent. It contains no training code, and runs with any model behind the same API. */
async function agent({ baseURL, apiKey, model, problem }: AgentAccess<Coin>): Promise<string> {
  const provider = createOpenAICompatible({ name: "reins", baseURL, apiKey });
  let tossed = 0;
  await generateText({
    model: provider(model),
    prompt: problem.prompt,
    tools: {
      toss: tool({
        description: "Tosses the coin.",
        inputSchema: z.object({}),
        execute: () => problem.data.shows[tossed++],
      }),
    },
    stopWhen: stepCountIs(3),
  });
  return tossed === 0 ? "0" : `${problem.data.shows[tossed - 1]}`;
}

const coins = textTask<Coin, Coin>({
  id: "coins",
  about: "Toss a coin, at most three times, until it shows 1.",
  levels: 1,
  alphabet: "0123456789?tos()k",
  longest: { prompt: 4, answer: 6, conversation: 32 },
  make(random) {
    const shows = Array.from({ length: 3 }, () => random.integers(2));
    return { prompt: `${random.integers(1000)}?`, answer: "1", data: { shows, tossed: 0 } };
  },
  verify: (_, shown) => ({ score: shown === "1" ? 1 : 0 }),
  episode: {
    agent,
    // Only for the supervised phase, which runs without the agent: an expert that tosses or ends at random.
    tools: [
      taughtTool<object, Coin>({
        name: "toss",
        about: "Tosses the coin.",
        parameters: { type: "object", properties: {} },
        run: (_, { state }) => state.shows[state.tossed++],
      }),
    ],
    players: {
      expert: (_, { turns }, random) => (turns < 3 && random.random() < 0.5 ? "toss()" : "k"),
    },
  },
});

const supervisedTokens = quick ? 1000 : 200_000;
let before: number | undefined;
const trained = await train({
  algorithm: grpo({ learningRate: 3e-3, groups: quick ? 2 : 16, groupSize: 8, epochs: 1, clipNorm: 1 }),
  env: coins,
  envOptions: { layers: 1, width: 32, heads: 2, supervisedTokens, rows: 32 },
  steps: supervisedTokens + (quick ? 3000 : 25_000),
  seed: 1,
  evalEpisodes: quick ? 8 : 100,
  callbacks: {
    // The supervised phase has no episodes: this is the first rollout of the agent.
    onUpdate(metrics) {
      if (metrics.episodes) before ??= metrics["reward/mean"];
    },
  },
});
const { mean, answers = [] } = await trained.evaluate(quick ? 8 : 100, { greedy: false });
console.log(`Before: ${percent(before!)} succeed. After: ${percent(mean)}. Examples:`);
for (const { answer } of answers.slice(0, 3)) console.log(`  ${answer.replaceAll("\n", "  ")}`);
