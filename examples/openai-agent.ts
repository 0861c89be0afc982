/**
 * Trains an existing agent written with the `openai` package: a loop that calls a model, runs the tool that it requests, and calls it again.
 * Only its base URL changes; the reward is on its final answer. The task is to count one to five fingers: the agent's tool looks at them,
 * and a guess is right one time in five.
 *
 * The model is untrained. A supervised phase teaches it the format of turns, mostly with guesses. Then the agent is trained, and learns to look first:
 * in less than a minute, the share of right answers rises from two fifths to above nine tenths (97 % with each of seeds 1 to 3).
 *
 *     npm install openai
 *     npx vite-node examples/openai-agent.ts [--seed N] [--quick]
 */

import OpenAI from "openai";
import { grpo, train } from "reins";
import { type AgentAccess, textTask, tool } from "reins/language";
import { percent, quick, seed } from "./show.ts";

interface Hand {
  fingers: number;
}

/** The agent. It contains no training code, and runs with any model behind the same API. */
async function agent({ baseURL, apiKey, model, problem }: AgentAccess<Hand>): Promise<string> {
  const client = new OpenAI({ baseURL, apiKey });
  const tools: OpenAI.ChatCompletionTool[] = [
    { type: "function", function: { name: "look", description: "Looks at the hand." } },
  ];
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: problem.prompt }];
  for (let turn = 0; turn < 3; turn++) {
    const { choices } = await client.chat.completions.create({ model, messages, tools });
    const { message } = choices[0];
    messages.push(message);
    if (!message.tool_calls?.length) return message.content ?? "";
    for (const { id } of message.tool_calls)
      messages.push({ role: "tool", tool_call_id: id, content: `${problem.data.fingers}` });
  }
  return "no answer";
}

const hands = textTask<Hand, Hand>({
  id: "hands",
  about: "Say how many fingers are held up.",
  levels: 1,
  alphabet: "0123456789?lok()",
  longest: { prompt: 4, answer: 6, conversation: 32 },
  make(random) {
    const fingers = 1 + random.integers(5);
    return { prompt: `${random.integers(1000)}?`, answer: `${fingers}`, data: { fingers } };
  },
  verify: (problem, said) => ({ score: said === problem.answer ? 1 : 0, wellFormed: /^[1-5]$/.test(said) }),
  episode: {
    agent,
    // Only for the supervised phase, which runs without the agent: an expert that guesses three times out of four.
    tools: [
      tool<object, Hand>({
        name: "look",
        about: "Looks at the hand.",
        parameters: { type: "object", properties: {} },
        run: (_, { state }) => state.fingers,
      }),
    ],
    players: {
      expert(_, { turns, state }, random) {
        if (turns > 0) return `${state.fingers}`;
        return random.random() < 0.25 ? "look()" : `${1 + random.integers(5)}`;
      },
    },
  },
});

const supervisedTokens = quick ? 1000 : 150_000;
let before: number | undefined;
const trained = await train({
  algorithm: grpo({ learningRate: 3e-3, groups: quick ? 2 : 16, groupSize: 8, epochs: 1, clipNorm: 1 }),
  env: hands,
  envOptions: { layers: 1, width: 32, heads: 2, supervisedTokens, rows: 32 },
  steps: supervisedTokens + (quick ? 3000 : 25_000),
  seed,
  evalEpisodes: quick ? 8 : 100,
  callbacks: {
    // The supervised phase has no episodes: this is the first rollout of the agent.
    onUpdate(metrics) {
      if (metrics.episodes) before ??= metrics["reward/mean"];
    },
  },
});
const { mean, answers = [] } = await trained.evaluate(quick ? 8 : 100, { greedy: false });
console.log(`Before: ${percent(before!)} of its answers are right. After: ${percent(mean)}. Examples:`);
for (const { answer } of answers.slice(0, 3)) console.log(`  ${answer.replaceAll("\n", "  ")}`);
