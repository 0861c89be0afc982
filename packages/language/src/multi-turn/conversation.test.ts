import { makers, pathOf, stepsOf } from "@reins/core/episodes";
import { lossGradient } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { Statistics } from "@reins/core/metrics";
import type { GptParams } from "@reins/nn";
import { leaves, logSoftmax, pick, random, setBackend, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { textTask } from "../tasks/text-task.ts";
import { tool } from "../tools/tool.ts";
import { type ConversationEpisode, conversationEpisode } from "./conversation-episode.ts";
import { conversationVerifier } from "./conversation-verifier.ts";
import { expertConversation } from "./expert-conversation.ts";
import { numbersOf, played, playsOf, sums, talkOptions } from "./testing.ts";

setBackend("wasm");

const court = { statistics: new Statistics() };
const problem = { prompt: "12+30=", answer: "42", data: { a: 12, b: 30 }, level: 1 };

describe("a conversation", () => {
  it("alternates turns and tool results, and the answer is judged", async () => {
    const { context, result, truncated } = await expertConversation(talkOptions(), problem, 1);
    expect(context.messages.map((m) => [m.role, m.content])).toEqual([
      ["user", "12+30="],
      ["assistant", "add(12+30)"],
      ["tool", "42;"],
      ["assistant", "42"],
    ]);
    expect(result).toMatchObject({ text: "42", calls: { ok: 1 }, price: 0.25, rewards: [0, 0] });
    expect(truncated).toBe(false);
  });

  it("is an episode of everything seen, with the author of each token", async () => {
    const options = talkOptions();
    const { stage, weights } = await played(1, options);
    const source = stage.demonstrations!({
      policy: stage.policy,
      weights,
      task: playsOf(1),
      statistics: new Statistics(),
      key: random.key(2),
    });
    const [episode] = (await source.next()) as readonly ConversationEpisode[];
    const { prompt } = episode.answered.problem;
    const { encode, end } = options.tokenizer;
    const [a, b] = prompt.slice(0, -1).split("+").map(Number);
    const parts = [
      ["environment", encode(prompt), 0],
      ["teacher", [...encode(`add(${a}+${b})`), end], 1],
      ["tool", encode(`${a + b};`), 0],
      ["teacher", [...encode(`${a + b}`), end], 2],
    ] as const;
    const tokens = parts.flatMap(([, t]) => t);
    expect(numbersOf(episode, "observation")).toEqual(tokens.slice(0, -1));
    expect(numbersOf(episode, "action")).toEqual(tokens.slice(1));
    const by = parts.flatMap(([maker, t]) => t.map(() => makers.indexOf(maker))).slice(1);
    expect(numbersOf(episode, "by")).toEqual(by);
    expect(numbersOf(episode, "turn")).toEqual(parts.flatMap(([, t, turn]) => t.map(() => turn)).slice(1));
    expect(source.steps).toBe(parts[1][1].length + parts[3][1].length);
    // The transcript can be rebuilt from the episode.
    const said = parts.map(([, t]) => options.tokenizer.decode(t));
    expect(episode.answered.messages.map((m) => m.content)).toEqual(said);
  });

  it("scores the sampled tokens with their recorded log-probabilities", async () => {
    const { stage, weights, episodes } = await played(6);
    for (const episode of episodes) {
      const tokens = numbersOf(episode, "observation");
      const logits = talkOptions().start.model.apply(
        weights as GptParams,
        tensor([tokens], { dtype: "i32" }),
      );
      const all = pick(logSoftmax(logits), tensor([numbersOf(episode, "action")], { dtype: "i32" })).data;
      const [by, logProb] = [numbersOf(episode, "by"), numbersOf(episode, "logProb")];
      by.forEach((maker, i) => {
        if (makers[maker] === "policy") expect(logProb[i]).toBeCloseTo(all[i], 4);
        else expect(logProb[i]).toBe(0);
      });
      expect(numbersOf(episode, "version").filter((v, i) => makers[by[i]] === "policy" && v !== 3)).toEqual(
        [],
      );
    }
    expect(stage.limit).toBe(36);
  });

  it("has the same result whatever runs in the same batch", async () => {
    const many = (await played(12)).episodes;
    const few = (await played(3)).episodes;
    for (const [i, episode] of few.entries())
      for (const name of ["action", "logProb"])
        expect(numbersOf(episode, name)).toEqual(numbersOf(many[i], name));
  });

  it("resumes from a checkpoint to the same bits", async () => {
    const { source, stage, weights } = await played(4);
    const saved = structuredClone(source.save());
    const next = (await source.next()) as readonly ConversationEpisode[];
    const again = stage.play({
      policy: stage.policy,
      weights,
      task: playsOf(4),
      statistics: new Statistics(),
      key: random.key(2),
      version: () => 3,
    });
    again.restore(saved);
    const resumed = (await again.next()) as readonly ConversationEpisode[];
    expect(resumed.map((e) => numbersOf(e, "action"))).toEqual(next.map((e) => numbersOf(e, "action")));
    expect(again.steps).toBe(source.steps);
  });
});

describe("the reward of a conversation", () => {
  it("is the final score minus the cost of calls", async () => {
    const judge = conversationVerifier(sums);
    const options = talkOptions();
    const verdictOf = async (skill: string) => {
      const { context, result, truncated } = await expertConversation(options, problem, 1, skill);
      return judge([conversationEpisode(context.segments, { truncated, answered: result })], court);
    };
    expect(await verdictOf("expert")).toMatchObject([
      { reward: 0.75, score: 1, terms: { asked: 1, price: -0.25 } },
    ]);
    expect(await verdictOf("hasty")).toMatchObject([{ reward: 0, score: 0 }]);
    expect(await verdictOf("confused")).toMatchObject([{ reward: -0.25, score: 0 }]);
  });

  it("is at the end of each turn that the environment rewards", async () => {
    const counting = textTask<{ goal: number }, { at: number; goal: number }>({
      id: "counting",
      about: "Count.",
      levels: 1,
      alphabet: "0123456789>",
      longest: { prompt: 3, answer: 2 },
      make: (random) => ({ prompt: `${random.integers(100)}>`, answer: "1", data: { goal: 3 } }),
      verify: (_, __, conversation) => ({ score: conversation!.state.at === 3 ? 1 : 0 }),
      episode: {
        turns: 4,
        begin: ({ data: { goal } }) => ({ at: 0, goal }),
        turn(state, { content }) {
          state.at++;
          const right = content === `${state.at}`;
          return state.at === state.goal ? { done: true, reward: 1 } : { say: ">", reward: right ? 0.5 : 0 };
        },
        players: { expert: (_, { state }) => `${state.at + 1}` },
      },
    });
    const options = talkOptions({ task: counting });
    const { context, result } = await expertConversation(
      options,
      { ...problem, prompt: "5>", data: { goal: 3 } },
      1,
    );
    const episode = conversationEpisode(context.segments, { truncated: false, answered: result });
    const [verdict] = await conversationVerifier(counting)([episode], court);
    expect(verdict).toMatchObject({ reward: 3, score: 1, terms: { turns: 2 } });
    // 5 > | 1 end | > | 2 end | > | 3 end: rewards at the ends of turns.
    expect([...(verdict.steps as Float32Array)]).toEqual([0, 0, 0.5, 0, 0, 0.5, 0, 0, 2]);
    expect(stepsOf(episode)).toBe(9);
    expect(pathOf(episode, 0)).toHaveLength(9);
  });

  it("is 0 with a reason where the environment fails; other conversations continue", async () => {
    const broken = {
      ...sums,
      episode: { ...sums.episode, turn: () => Promise.reject(new Error("the user left")) },
    };
    const { episodes } = await played(6, talkOptions({ task: broken }));
    const verdicts = await conversationVerifier(broken)(episodes, court);
    expect(verdicts.every((v) => v.failed === undefined || v.failed.includes("the user left"))).toBe(true);
    expect(verdicts.some((v) => v.failed !== undefined)).toBe(true);
    const nan = { ...sums, episode: { ...sums.episode, turn: () => ({ reward: Number.NaN }) } };
    const { result } = await expertConversation(talkOptions({ task: nan }), problem, 1);
    expect(result.failed).toContain("the reward of a turn is NaN");
    const lost = { ...sums, episode: { ...sums.episode, begin: () => JSON.parse("{") as never } };
    expect((await expertConversation(talkOptions({ task: lost }), problem, 1)).result.failed).toContain(
      "begin() failed",
    );
  });
});

describe("calls", () => {
  const slow = (name: string, run: () => unknown, more: object = {}) =>
    tool({ name, about: "", parameters: { type: "object", properties: {} }, ...more, run });
  const world = {
    ...sums,
    alphabet: `${sums.alphabet}\n`,
    episode: {
      ...sums.episode,
      tools: [
        ...sums.episode!.tools!,
        slow("hang", () => new Promise(() => {}), { timeout: 30 }),
        slow("long", () => "x".repeat(100), { characters: 10 }),
        slow("late", () => new Promise((done) => setTimeout(done, 60)), { timeout: 20 }),
      ],
    },
  };
  const answersTo = async (text: string) => {
    const told = {
      ...world,
      episode: {
        ...world.episode,
        players: { expert: (_: unknown, { turns }: { turns: number }) => (turns ? "1" : text) },
      },
    };
    const { context, result } = await expertConversation(
      talkOptions({ task: told, level: 1, start: wide() }),
      problem,
      1,
    );
    return {
      said: context.messages.filter((m) => m.role === "tool").map((m) => m.content),
      calls: result.calls,
    };
  };
  const wide = () => ({
    ...talkOptions({ task: world }).start,
    options: { ...talkOptions().start.options, context: 400 },
  });

  it("that fail, time out, return too much or do not exist get a result, and are counted", async () => {
    expect(await answersTo("add(1+2)\nadd(3)\nhang()")).toEqual({
      said: ["3;", "3;", "error: hang did not answer within 30 ms."],
      calls: { ok: 2, late: 1 },
    });
    expect((await answersTo("add(one)")).said).toEqual(["error: no sum"]);
    expect((await answersTo("long()")).said).toEqual(["xxxxxxxxxx ... (90 characters were cut off)"]);
    expect((await answersTo("late()")).calls).toEqual({ late: 1 });
    // A call of an unknown tool is plain text.
    expect((await answersTo("sub(3)")).said).toEqual([]);
  });
});

it("tool results and environment messages are excluded from the gradient, to the last bit", async () => {
  const { stage, weights } = await played(1);
  const { segments, result } = await expertConversation(talkOptions(), problem, 1);
  const episode = conversationEpisode(segments, { truncated: false, answered: result });
  const own = numbersOf(episode, "by").map((w) => makers[w] === "teacher");
  expect(own.filter((is) => !is).length).toBeGreaterThan(6);
  const column = (values: readonly number[], dtype: "f32" | "i32" | "bool") =>
    tensor(
      values.map((v) => [v]),
      { dtype },
    );
  /** Tokens, advantages and recorded probabilities that differ where others wrote. */
  const gradient = (change: number) => {
    const shifted = (values: readonly number[]) => values.map((v, i) => (own[i] ? v : v + change));
    const columns = {
      observation: column(numbersOf(episode, "observation"), "i32"),
      action: column(
        shifted(numbersOf(episode, "action")).map((a) => Math.floor(a) % 50),
        "i32",
      ),
      logProb: column(shifted(own.map(() => -2)), "f32"),
      advantage: column(shifted(own.map((_, i) => 1 - i / 10)), "f32"),
      alive: column(
        own.map((is) => (is ? 1 : 0)),
        "bool",
      ),
    };
    const term = losses.sum(losses.policyGradient({ ratio: losses.clipped(0.2) }), losses.entropy());
    const found = lossGradient(term, {
      policy: stage.policy,
      weights,
      columns,
      state: {},
      key: random.key(0),
    });
    return leaves(found.gradient).flatMap((t) => Array.from(t.data));
  };
  const plain = gradient(0);
  expect(plain.some((x) => x !== 0)).toBe(true);
  expect(gradient(3)).toEqual(plain);
});
