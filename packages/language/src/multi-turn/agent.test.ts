import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { makers } from "@reins/core/episodes";
import { Statistics } from "@reins/core/metrics";
import { random, setBackend, type Tensor } from "@reins/tensor";
import { tool as aiTool, generateText, stepCountIs } from "ai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AgentAccess } from "../tasks/text-task.ts";
import { textTask } from "../tasks/text-task.ts";
import type { ConversationEpisode } from "./conversation-episode.ts";
import { talkingStage, talkOptions } from "./testing.ts";

setBackend("wasm");

/** A task whose problems go to an agent. */
const withAgent = (agent: (access: AgentAccess) => unknown) =>
  textTask<{ a: number }>({
    id: "agents",
    about: "Say a number.",
    levels: 1,
    alphabet: "0123456789+=abcdefghijklmnopqrstuvwxyz(){}[]:. T,;_-'\"/\n",
    longest: { prompt: 6, answer: 7, conversation: 90 },
    make: (random) => ({ prompt: `${random.integers(1000)}=`, answer: "7", data: { a: 7 } }),
    verify: (_, answer) => ({ score: answer.includes("7") ? 1 : 0 }),
    episode: {
      agent,
    },
  });

async function plays(agent: (access: AgentAccess) => unknown, count = 4) {
  const options = talkOptions({ task: withAgent(agent), limit: 7 });
  const stage = talkingStage(options);
  const weights = stage.policy.init(random.key(1));
  const source = stage.play({
    policy: stage.policy,
    weights,
    task: { next: () => [{ key: "a", seed: 0, groupSize: count }] },
    statistics: new Statistics(),
    key: random.key(2),
    version: () => 0,
  });
  const episodes = (await source.next()) as readonly ConversationEpisode[];
  return {
    stage,
    weights,
    source,
    episodes,
    verdicts: await stage.judge(episodes, { statistics: new Statistics() }),
  };
}
const numbersOf = (e: ConversationEpisode, name: string) => [...(e.columns[name] as Tensor).data];

/** Makes two calls, like any program that uses the API client. */
async function openaiAgent({ baseURL, apiKey, model, problem }: AgentAccess) {
  const client = new OpenAI({ baseURL, apiKey });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: problem.prompt }];
  const first = await client.chat.completions.create({ model, messages });
  messages.push(first.choices[0].message, { role: "user", content: "and=" });
  const stream = await client.chat.completions.create({ model, messages, stream: true });
  let text = "";
  for await (const part of stream) text += part.choices[0]?.delta.content ?? "";
  return text;
}

describe("an external agent", () => {
  it("with the openai package: its calls are episodes, token for token", async () => {
    const { episodes, verdicts, source } = await plays(openaiAgent);
    for (const episode of episodes) {
      expect(episode.answered.failed).toBeUndefined();
      // Two turns in one segment: the second continues the sampled tokens of the first.
      expect(episode.segments).toHaveLength(1);
      expect(new Set(numbersOf(episode, "turn"))).toEqual(new Set([0, 1, 2]));
      expect(episode.answered.messages.map((m) => m.role)).toEqual([
        "user",
        "assistant",
        "user",
        "assistant",
      ]);
    }
    expect(verdicts.map((v) => v.score)).toEqual(
      episodes.map((e) => (e.answered.text.includes("7") ? 1 : 0)),
    );
    const own = episodes.flatMap((e) => numbersOf(e, "by").filter((m) => makers[m] === "policy"));
    expect(source.steps).toBe(own.length);
    // The same rollouts from the same seed, in whatever order calls arrive.
    const again = await plays(openaiAgent);
    expect(again.episodes.map((e) => numbersOf(e, "action"))).toEqual(
      episodes.map((e) => numbersOf(e, "action")),
    );
  });

  it("with the responses API of the openai package, and concurrent conversations", async () => {
    const agent = async ({ baseURL, apiKey, model, problem }: AgentAccess) => {
      const client = new OpenAI({ baseURL, apiKey });
      const ask = (input: string) => client.responses.create({ model, input });
      const [a, b] = await Promise.all([ask(problem.prompt), ask("other=")]);
      return a.output_text + b.output_text;
    };
    const { episodes } = await plays(agent, 2);
    for (const { segments, answered } of episodes) {
      expect(answered.failed).toBeUndefined();
      expect(segments).toHaveLength(2);
    }
    // Whichever of the two calls comes first.
    const late = async (access: AgentAccess) => {
      const client = new OpenAI({ baseURL: access.baseURL, apiKey: access.apiKey });
      const ask = async (input: string, wait: number) => {
        await new Promise((done) => setTimeout(done, wait));
        return (await client.responses.create({ model: access.model, input })).output_text;
      };
      return (await Promise.all([ask(access.problem.prompt, 30), ask("other=", 0)])).join("");
    };
    const again = await plays(late, 2);
    expect(again.episodes.map((e) => e.answered.text)).toEqual(episodes.map((e) => e.answered.text));
  });

  it("with the ai package, and its tools", async () => {
    const agent = async ({ baseURL, apiKey, model, problem }: AgentAccess) => {
      const provider = createOpenAICompatible({ name: "reins", baseURL, apiKey });
      const { text } = await generateText({
        model: provider(model),
        prompt: problem.prompt,
        maxRetries: 0,
        tools: {
          add: aiTool({
            description: "Adds.",
            inputSchema: z.object({ of: z.string() }),
            execute: ({ of }) => of.length,
          }),
        },
        stopWhen: stepCountIs(2),
      });
      return text;
    };
    const { episodes } = await plays(agent, 2);
    for (const { answered, columns } of episodes) {
      expect(answered.failed).toBeUndefined();
      expect((columns.turn as Tensor).data.includes(1)).toBe(true);
    }
  });

  it("is evaluated greedily on held-out problems", async () => {
    const { stage, weights } = await plays(openaiAgent, 1);
    const [a, b] = [
      await stage.evaluate(weights, { episodes: 3 }),
      await stage.evaluate(weights, { episodes: 3 }),
    ];
    expect(a.answers).toEqual(b.answers);
    expect(a.count).toBe(3);
  });

  it("that fails, or makes no call, is counted, and the others continue", async () => {
    let turn = 0;
    const agent = (access: AgentAccess) => {
      const mine = turn++ % 3;
      if (mine === 0) throw new Error("out of tape");
      return mine === 1 ? "7" : openaiAgent(access);
    };
    const { episodes, verdicts } = await plays(agent, 6);
    expect(verdicts.map((v) => v.failed).sort()).toEqual([
      "the agent failed: out of tape",
      "the agent failed: out of tape",
      "the agent made no model call",
      "the agent made no model call",
      undefined,
      undefined,
    ]);
    expect(episodes).toHaveLength(6);
  });
});
