import { makers, pack } from "@reins/core/episodes";
import { lossGradient } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { Statistics } from "@reins/core/metrics";
import * as targets from "@reins/core/targets";
import { leaves, random, setBackend, type Tensor, type Tree, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { episodeOf } from "../tasks/episode.ts";
import { type Role, type TextTask, textTask } from "../tasks/text-task.ts";
import type { ConversationEpisode } from "./conversation-episode.ts";
import { conversationVerifier } from "./conversation-verifier.ts";
import { expertConversation } from "./expert-conversation.ts";
import { numbersOf, played, playsOf, talkingStage, talkOptions } from "./testing.ts";
import { episodesOf } from "./view-episodes.ts";

setBackend("wasm");

/** One role asks for a secret letter, the other names one: twice. */
const asking = (by?: Role["by"]): TextTask =>
  textTask<{ letter: string }, { letter: string; said: string[] }>({
    id: "asking",
    about: "Name the letter.",
    levels: 1,
    alphabet: "abcd?!",
    longest: { prompt: 1, answer: 3 },
    make: (random) => {
      const letter = "abcd"[random.integers(4)];
      return { prompt: letter, answer: letter, data: { letter }, key: `${letter}${random.integers(99)}` };
    },
    verify: (_, __, conversation) => {
      const right = conversation?.state.said.includes(conversation.state.letter) ? 1 : 0;
      return { score: right, scores: { guesser: -1 } };
    },
    episode: {
      turns: 4,
      begin: ({ data }) => ({ ...data, said: [] }),
      roles: { guesser: { opening: () => [{ role: "user", content: "!" }], by } },
      turn(state, { name, content }) {
        if (name !== "guesser") return { say: `${content}?`, to: "guesser" };
        state.said.push(content);
        const right = content === state.letter;
        return state.said.length > 1
          ? { done: true, reward: right ? 0.5 : 0 }
          : { say: "?", to: "model", reward: right ? 0.5 : 0 };
      },
      players: {
        expert: ({ answer }, { role, messages }) =>
          role === "guesser" ? messages[messages.length - 1].content[0] : answer,
      },
    },
  });
const problem = { prompt: "c", answer: "c", data: { letter: "c" }, level: 1 };
const judged = (f: TextTask, episodes: readonly ConversationEpisode[]) =>
  conversationVerifier(f)(episodes, { statistics: new Statistics() });

describe("roles", () => {
  it("see only messages to them, and each gets the rewards of its own turns", async () => {
    const options = talkOptions({ task: asking() });
    const { segments, others, result } = await expertConversation(options, problem, 1);
    const text = (all: typeof segments) =>
      all.map((s) => s.spans.map((p) => options.tokenizer.decode(p.tokens)));
    expect(text(segments)).toEqual([["c", "c", "?", "c"]]);
    expect(others!.map((o) => text(o.segments))).toEqual([[["!c?", "c", "c?", "c"]]]);
    expect(result.rewards).toEqual([0, 0]);
    expect(others![0].result).toMatchObject({ rewards: [0.5, 0.5], role: "guesser" });
    // All messages, in order.
    expect(result.messages.map((m) => m.content)).toEqual(["c", "c", "c?", "c", "?", "c", "c?", "c"]);
    expect(result.messages.map((m) => m.name)).toContain("guesser");
  });

  it("are separate episodes, grouped by role, with their own scores", async () => {
    const f = asking();
    const { episodes, source } = await played(4, talkOptions({ task: f }));
    const guesses = episodes.filter((e) => e.answered.role === "guesser");
    const own = episodes.filter((e) => e.answered.role === undefined);
    expect(own).toHaveLength(4);
    expect(guesses.length).toBeGreaterThan(0);
    expect(new Set(own.map((e) => e.group)).size).toBe(1);
    expect(new Set(guesses.map((e) => e.group))).toEqual(new Set([`${own[0].group} guesser`]));
    const verdicts = await judged(f, guesses);
    for (const [i, v] of verdicts.entries())
      expect(v.reward).toBeCloseTo(guesses[i].answered.rewards.reduce((a, b) => a + b, 0) - 1);
    const written = episodes.reduce(
      (sum, e) => sum + numbersOf(e, "by").filter((w) => makers[w] === "policy").length,
      0,
    );
    expect(source.steps).toBe(written);
  });

  it('compared by "seen" share a group only with the same context before the first turn', async () => {
    const f = asking();
    const { guesser } = episodeOf(f).roles;
    const seen: TextTask = {
      ...f,
      episode: { ...f.episode, roles: { guesser: { ...guesser, compared: "seen" } } },
    };
    const options = talkOptions({ task: seen });
    /** A conversation in which the model says `plan` first, and the guesser `guess`. */
    const said = async (plan: string, guess: string) => {
      const own: TextTask = {
        ...seen,
        episode: {
          ...seen.episode,
          players: { expert: (_, { role }) => (role === "guesser" ? guess : plan) },
        },
      };
      const held = await expertConversation({ ...options, task: own }, problem, 1);
      return episodesOf(options, held, { group: "0" });
    };
    // Two plans: of the guesses after "c" two of three are right, of those after "a" one of two; one came after "b"
    // alone.
    const plays = [
      ["c", "c"],
      ["c", "c"],
      ["c", "a"],
      ["a", "c"],
      ["a", "a"],
      ["b", "c"],
    ] as const;
    const all = await Promise.all(plays.map(([plan, guess]) => said(plan, guess)));
    const guesses = all.map((views) => views.find((e) => e.answered.role === "guesser")!);
    const rewards = [1, 1, 0, 1, 0, 1];
    const groups = guesses.map((e) => e.group);
    expect(groups.map((g) => groups.indexOf(g))).toEqual([0, 0, 0, 3, 3, 5]);
    const advantages = targets.groupRelative(rewards, targets.groupsOf(pack(guesses)), { scale: "none" });
    expect([...advantages].map((a) => Number(a.toFixed(6)))).toEqual([
      0.333333, 0.333333, -0.666667, 0.5, -0.5, 0,
    ]);
    // A group of one has advantage 0, on any scale.
    expect(targets.groupRelative(rewards, targets.groupsOf(pack(guesses)))[5]).toBe(0);
    // Plans are compared with all plans, in their own groups.
    expect(new Set(all.map((views) => views.find((e) => !e.answered.role)!.group))).toEqual(new Set(["0"]));
  });

  it("played by a program or by the initial weights are not episodes", async () => {
    for (const by of [() => "a", "start"] as const) {
      const { episodes } = await played(3, talkOptions({ task: asking(by) }));
      expect(episodes.every((e) => e.answered.role === undefined)).toBe(true);
    }
  });

  it("that are frozen use the weights at the start of reinforcement learning, also after a resume", async () => {
    const options = talkOptions({ task: asking("start") });
    const stage = talkingStage(options);
    const weights = stage.policy.init(random.key(1));
    // Imitation came before.
    for (const t of leaves(weights)) t.data.forEach((x, i) => (t.data[i] = x * 1.5));
    const begun = () =>
      stage.play({
        policy: stage.policy,
        weights,
        task: playsOf(3),
        statistics: new Statistics(),
        key: random.key(2),
      });
    const partner = (episodes: readonly unknown[]) =>
      (episodes as readonly ConversationEpisode[]).map((e) =>
        e.answered.messages.filter((m) => m.name === "guesser").map((m) => m.content),
      );
    const source = begun();
    await source.next();
    const saved = structuredClone(source.save()) as { frozen: { tokens: { table: { data: Float32Array } } } };
    const [table] = leaves(weights);
    expect(saved.frozen).not.toBeNull();
    // From now on the model repeats one text; its partner does not.
    const before = leaves(weights).map((t) => t.data.slice());
    for (const t of leaves(weights)) t.data.fill(0);
    const after = partner(await source.next());
    expect(after.flat().length).toBeGreaterThan(0);
    const again = begun();
    again.restore(source.save());
    Object.assign(again, { batches: 1, plays: 3 });
    expect(partner(await again.next())).toEqual(after);
    expect(before[0]).not.toEqual(table.data);
  });

  it("with their own weights learn only from their own turns", async () => {
    const options = talkOptions({ task: asking("own") });
    const { stage, weights, episodes } = await played(4, options);
    expect(Object.keys(weights as object)).toEqual(["model", "guesser"]);
    const gradientOf = (role: string | undefined) => {
      const own = episodes.find((e) => e.answered.role === role && numbersOf(e, "by").includes(0))!;
      const column = (values: readonly number[], dtype: "f32" | "i32" | "bool") =>
        tensor(
          values.map((v) => [v]),
          { dtype },
        );
      const columns = {
        observation: column(numbersOf(own, "observation"), "i32"),
        action: column(numbersOf(own, "action"), "i32"),
        logProb: column(numbersOf(own, "logProb"), "f32"),
        advantage: column(
          numbersOf(own, "by").map(() => 1),
          "f32",
        ),
        alive: column(
          numbersOf(own, "by").map((w) => (makers[w] === "policy" ? 1 : 0)),
          "bool",
        ),
        trace: {
          speaker: column(
            [...((own.columns.trace as { speaker: Tensor }).speaker.data as Int32Array)],
            "i32",
          ),
        },
      };
      const { gradient } = lossGradient(losses.policyGradient(), {
        policy: stage.policy,
        weights,
        columns,
        state: {},
        key: random.key(0),
      });
      const sizes = gradient as { [name: string]: Tree };
      return ["model", "guesser"].map((name) =>
        leaves(sizes[name]).some((t) => Array.from(t.data).some((x) => x !== 0)),
      );
    };
    expect(gradientOf(undefined)).toEqual([true, false]);
    expect(gradientOf("guesser")).toEqual([false, true]);
    // The sampled tokens are scored, whichever role wrote them.
    const evaluated = await stage.evaluate(weights, { episodes: 4 });
    expect(evaluated.returns).toHaveLength(4);
  });

  it.each([
    [
      "a role with the name of the model",
      { roles: { model: { opening: () => [] } } },
      "a role cannot be called model",
    ],
    ["a role without an opening", { roles: { a: {} } }, "the role a has no opening(problem, state)"],
    ["an unknown player", { roles: { a: { opening: () => [], by: "x" } } }, 'has by: "x"'],
    ["an unknown comparison", { roles: { a: { opening: () => [], compared: "x" } } }, 'has compared: "x"'],
    ["roles without turns", { turn: undefined }, "no turn(state, message)"],
    ["a belief without a finite weight", { belief: { truth: () => "", weight: Number.NaN } }, "belief needs"],
  ])("refuses %s", (_, change, why) => {
    const task = { ...asking(), episode: { ...asking().episode, ...change } } as TextTask;
    expect(() => talkingStage({ task })).toThrow(why);
  });

  it.each([
    ["say", { turn: () => ({ say: 42 }) }, "turn() failed: say is 42, not a string"],
    ["answer", { turn: () => null }, "turn() failed: it returned null"],
    ["call", { turn: () => ({ calls: [null] }) }, "calls must be an array, each with a name"],
    ["begin", { roles: { guesser: { opening: () => [] } } }, "opening() of role guesser failed"],
    [
      "speak",
      { roles: { guesser: { opening: () => [{ role: "user", content: "!" }], by: () => 7 } } },
      "guesser failed to speak: a player returned 7",
    ],
    [
      "throw words",
      {
        turn() {
          throw Object.create(null);
        },
      },
      "something that has no words",
    ],
  ])("that fail to %s end their own conversation with a reason", async (_, change, why) => {
    const task = { ...asking(), episode: { ...asking().episode, ...change } } as TextTask;
    const { episodes } = await played(2, talkOptions({ task }));
    for (const e of episodes) expect(e.answered.failed).toContain(why);
    for (const v of await judged(task, episodes)) expect(v).toMatchObject({ reward: 0 });
  });

  it("that do not exist end the conversation with a reason", async () => {
    const f = { ...asking(), episode: { ...asking().episode, turn: () => ({ say: "?", to: "stranger" }) } };
    const { result } = await expertConversation(talkOptions({ task: f }), problem, 1);
    expect(result.failed).toBe("turn() gave the next turn to stranger, which is not a role of the task");
  });
});
