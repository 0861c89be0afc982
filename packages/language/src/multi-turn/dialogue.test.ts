import { makers } from "@reins/core/episodes";
import { Statistics } from "@reins/core/metrics";
import type { GptParams } from "@reins/nn";
import { logSoftmax, pick, real, setBackend, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { TextTask } from "../tasks/text-task.ts";
import { conversationEpisode } from "./conversation-episode.ts";
import { conversationVerifier } from "./conversation-verifier.ts";
import { expertConversation } from "./expert-conversation.ts";
import { numbersOf, played, sums, talkingStage, talkOptions } from "./testing.ts";

setBackend("wasm");

const problem = { prompt: "12+30=", answer: "42", data: { a: 12, b: 30 }, level: 1 };
const judge = (f: TextTask, e: ReturnType<typeof conversationEpisode>) =>
  conversationVerifier(f)([e], { statistics: new Statistics() });
const episodeOf = async (f: TextTask, skill?: string) => {
  const { segments, result, truncated } = await expertConversation(
    talkOptions({ task: f }),
    problem,
    1,
    skill,
  );
  return conversationEpisode(segments, { truncated, answered: result });
};

describe("intermediate rewards", () => {
  const paying: TextTask = {
    ...sums,
    episode: {
      ...sums.episode,
      turnReward: (_, turn, answers) => (turn.calls && !answers[0].content.startsWith("error") ? 0.5 : 0),
    },
  };

  it("are placed on their turns, including turns with tool calls", async () => {
    const episode = await episodeOf(paying);
    expect(episode.answered.rewards).toEqual([0.5, 0]);
    const [{ steps, reward, terms }] = await judge(paying, episode);
    expect(reward).toBeCloseTo(1 + 0.5 - 0.25);
    expect(terms).toMatchObject({ turns: 0.5, price: -0.25 });
    const turns = numbersOf(episode, "turn");
    expect(
      Array.from(steps!)
        .map((s, i) => [turns[i], s])
        .filter(([, s]) => s !== 0),
    ).toEqual([
      [1, 0.5],
      [2, 0.75],
    ]);
    expect((await episodeOf(paying, "confused")).answered.rewards).toEqual([0, 0]);
  });

  it("are dropped where the score is below the gate", async () => {
    const gated: TextTask = { ...paying, episode: { ...paying.episode, gate: 1 } };
    expect((await judge(gated, await episodeOf(gated)))[0].reward).toBeCloseTo(1.25);
    const wrong: TextTask = { ...gated, verify: () => ({ score: 0.9 }) };
    const [verdict] = await judge(wrong, await episodeOf(wrong));
    expect(verdict.reward).toBeCloseTo(0.9 - 0.25);
    expect(verdict.terms?.turns).toBeUndefined();
  });

  it("end the conversation with a reason where turnReward() fails", async () => {
    const nan = await episodeOf({ ...sums, episode: { ...sums.episode, turnReward: () => Number.NaN } });
    expect(nan.answered.failed).toBe("the reward of a turn is NaN");
    const thrown = await episodeOf({
      ...sums,
      episode: {
        ...sums.episode,
        turnReward() {
          throw new Error("no purse");
        },
      },
    });
    expect(thrown.answered.failed).toBe("turnReward() failed: no purse");
  });
});

describe("a context that is rebuilt", () => {
  const short: TextTask = {
    ...sums,
    episode: {
      ...sums.episode,
      rebuild: ({ messages }) => [{ role: "user", content: `so: ${messages[messages.length - 1].content}` }],
    },
  };

  it("is a new segment, and judges get all messages", async () => {
    const options = talkOptions({ task: short });
    const { segments, result } = await expertConversation(options, problem, 1);
    const text = segments.map((s) => s.spans.map((p) => options.tokenizer.decode(p.tokens)));
    expect(text).toEqual([
      ["12+30=", "add(12+30)"],
      ["so: 42;", "42"],
    ]);
    expect(result.messages.map((m) => m.content)).toEqual(["12+30=", "add(12+30)", "42;", "42"]);
    const episode = conversationEpisode(segments, { truncated: false, answered: result });
    expect(episode.segments).toHaveLength(2);
    expect(numbersOf(episode, "turn").filter((t, i, all) => t !== all[i - 1])).toEqual([0, 1, 0, 2]);
  });

  it("is the context of the next turn", async () => {
    const { episodes, weights } = await played(
      8,
      talkOptions({ task: { ...short, episode: { ...short.episode, turns: 3 } } }),
    );
    for (const episode of episodes) {
      for (const { from, to } of episode.segments) {
        const tokens = numbersOf(episode, "observation").slice(from, to);
        const logits = talkOptions().start.model.apply(
          weights as GptParams,
          tensor([tokens], { dtype: "i32" }),
        );
        const all = pick(
          logSoftmax(logits),
          tensor([numbersOf(episode, "action").slice(from, to)], { dtype: "i32" }),
        ).data;
        const [by, logProb] = ["by", "logProb"].map((n) => numbersOf(episode, n).slice(from, to));
        by.forEach((maker, i) => {
          if (makers[maker] === "policy") expect(logProb[i]).toBeCloseTo(all[i], 4);
        });
      }
    }
  });
});

describe("belief rewards", () => {
  /** The model never calls tools itself: the environment does, whatever the model writes. */
  const told = (weight: number, after = ""): TextTask => ({
    ...sums,
    episode: {
      ...sums.episode,
      turns: 2,
      turn: () => ({ say: "42;" }),
      belief: { truth: ({ answer }) => answer, weight, after },
    },
  });

  it.each(["", "4;"])("are the change in the probability of the truth after '%s'", async (after) => {
    const options = talkOptions({ task: told(2, after), limit: 3 });
    const { episodes, weights } = await played(4, options);
    const { start, tokenizer } = options;
    for (const { answered, columns } of episodes) {
      const column = (name: string) => [...(columns[name] as Tensor).data];
      const [seen, action, turn] = ["observation", "action", "turn"].map(column);
      const whole = [seen[0], ...action];
      const beliefAt = (length: number) => {
        const truth = [...tokenizer.encode(answered.problem.answer), tokenizer.end];
        const before = [...whole.slice(0, length), ...tokenizer.encode(after)];
        const text = [...before, ...truth];
        const logits = start.model.apply(weights as GptParams, tensor([text.slice(0, -1)], { dtype: "i32" }));
        const p = pick(logSoftmax(logits), tensor([text.slice(1)], { dtype: "i32" })).data;
        return real.exp(truth.reduce((sum, _, i) => sum + p[before.length - 1 + i], 0) / truth.length);
      };
      // Before the first turn, and before the second.
      const [first, second] = [turn.indexOf(1) + 1, turn.indexOf(2) + 1];
      expect(answered.rewards[0]).toBeCloseTo(2 * (beliefAt(second) - beliefAt(first)), 4);
      expect(answered.rewards[1]).toBe(0);
    }
  });

  it("do not change the conversation", async () => {
    const words = async (f: TextTask) =>
      (await played(4, talkOptions({ task: f, limit: 3 }))).episodes.map((e) => e.answered.messages);
    const plain = { ...told(1), episode: { ...told(1).episode, belief: undefined } };
    expect(await words(told(1))).toEqual(await words(plain));
  });
});

describe("a fork", () => {
  it("shares its prefix with the others, and nothing after it", async () => {
    const f: TextTask = {
      ...sums,
      episode: { ...sums.episode, tools: [], turn: () => ({ say: ";" }), turns: 3 },
    };
    const options = talkOptions({ task: f, forks: { turn: 1, into: 3 }, limit: 6, rows: 2 });
    const { episodes, source } = await played(2, options);
    expect(episodes).toHaveLength(6);
    const said = episodes.map((e) => e.answered.messages.map((m) => m.content));
    for (const play of [said.slice(0, 3), said.slice(3)]) {
      expect(new Set(play.map((m) => m.slice(0, 3).join("|"))).size).toBe(1);
      expect(new Set(play.map((m) => m.join("|"))).size).toBe(3);
    }
    expect(said[0][1]).not.toBe(said[3][1]);
    // All are in one group, and the shared prefix was generated once.
    expect(new Set(episodes.map((e) => e.group)).size).toBe(1);
    const written = (e: (typeof episodes)[number], turn: number) =>
      numbersOf(e, "turn").filter((t) => t === turn).length;
    const total = episodes.reduce(
      (sum, e, i) => sum + (i % 3 ? 0 : written(e, 1)) + written(e, 2) + written(e, 3),
      0,
    );
    expect(source.steps).toBe(total);
    // The first continues as it would have alone.
    const alone = await played(2, { ...options, forks: undefined });
    expect(alone.episodes[0].answered.messages).toEqual(episodes[0].answered.messages);
  });

  it("is rejected where the state cannot be copied, and all generations stop", async () => {
    const f: TextTask = {
      ...sums,
      episode: {
        ...sums.episode,
        begin: () => ({ a: () => 1 }) as never,
        turn: () => ({ say: ";" }),
        turns: 3,
      },
    };
    const forked = played(2, talkOptions({ task: f, forks: { turn: 1, into: 3 }, limit: 3 }));
    await expect(forked).rejects.toThrow(
      "it cannot be forked: its state or a tool's store is not plain data",
    );
    expect(() => talkingStage({ task: f, forks: { turn: 1.5, into: 2 } })).toThrow(
      "both must be integers of at least 1",
    );
  });

  it("has its own environment", async () => {
    const counting: TextTask = {
      ...sums,
      episode: {
        ...sums.episode,
        tools: [],
        turn: (state) => {
          const own = state as never as { asked?: number };
          own.asked = (own.asked ?? 0) + 1;
          return { say: `${own.asked};` };
        },
        turns: 3,
      },
    };
    const { episodes } = await played(
      1,
      talkOptions({ task: counting, forks: { turn: 1, into: 4 }, limit: 5 }),
    );
    for (const { answered } of episodes) {
      const heard = answered.messages
        .filter((m) => m.role !== "assistant")
        .slice(1)
        .map((m) => m.content);
      expect(heard.slice(0, 2)).toEqual(["1;", "2;"]);
      expect((answered.state as { asked: number }).asked).toBe(3);
    }
  });
});

describe("verdicts", () => {
  it("that are not finite, or overflow f32, give reward 0", async () => {
    for (const score of [Number.NaN, 1e39, Number.POSITIVE_INFINITY]) {
      const f: TextTask = { ...sums, verify: () => ({ score }) };
      const [verdict] = await judge(f, await episodeOf(f));
      expect(verdict.reward).toBe(0);
      expect(verdict.failed).toBeDefined();
    }
  });

  it("that never arrive are given up once no other arrives either", async () => {
    const f: TextTask = {
      ...sums,
      verify: (_, text) => (text === "42" ? { score: 1 } : new Promise(() => {})),
    };
    const episodes = [await episodeOf(f), await episodeOf(f, "hasty")];
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const verdicts = conversationVerifier(f)(episodes, { statistics: new Statistics() });
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await verdicts).map((v) => v.failed)).toEqual([undefined, "no verdict within 10000 ms"]);
  });

  it("may name the model's own score by its role", async () => {
    const f: TextTask = { ...sums, verify: () => ({ score: 0, scores: { model: 1 } }) };
    expect((await judge(f, await episodeOf(f)))[0].reward).toBeCloseTo(0.75);
  });
});

it("messages that leave no room for a turn are not part of the episode", async () => {
  const long: TextTask = {
    ...sums,
    episode: { ...sums.episode, tools: [], turn: () => ({ say: ".".repeat(200) }) },
  };
  const { episodes } = await played(2, talkOptions({ task: long, limit: 3 }));
  for (const e of episodes) {
    expect(numbersOf(e, "action").length).toBeLessThan(96);
    expect(numbersOf(e, "turn").at(-1)).toBe(1);
    expect(e.answered.messages.at(-1)!.content).toHaveLength(200);
  }
});
