import { type Algorithm, type Episode, type RolloutInput, Run, withSettings } from "@reins/core";
import { makers, type pack } from "@reins/core/episodes";
import { episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { Statistics } from "@reins/core/metrics";
import { defaultRng } from "@reins/core/random";
import * as targets from "@reins/core/targets";
import { adam } from "@reins/nn";
import { compile, random, type Tensor, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { Generated } from "../generation/sequence.ts";
import { newModel } from "../models/language-model.ts";
import { textStage } from "../stage/stage.ts";
import { textTask } from "../tasks/text-task.ts";
import { characters } from "../tokenizers/characters.ts";
import { type BranchesOptions, branches } from "./branches.ts";
import type { TextStageOptions } from "./stage-options.ts";
import type { TextEpisode } from "./text-episode.ts";
import { type Branch, branch, forksOf, nodesOf, type Prefix } from "./tree.ts";

/** Repeat a letter several times. */
const repeating = textTask<{ letter: string }>({
  id: "repeating",
  about: "Repeat a letter.",
  levels: 1,
  alphabet: "abcd:0123456789",
  longest: { prompt: 4, answer: 7 },
  make(random) {
    const letter = "abcd"[random.integers(4)];
    return { prompt: `${random.integers(100)}:${letter}`, answer: letter.repeat(5), data: { letter } };
  },
  verify: ({ data }, answer) => ({ score: answer.split(data.letter).length > 1 ? 1 : 0, wellFormed: true }),
});
const tokenizer = characters(repeating.alphabet);
const start = newModel(
  { layers: 2, width: 16, heads: 2, context: 16, vocabulary: tokenizer.size, style: "llama" },
  random.key(1),
);
// Few rows: one compiled step serves all calls.
const options = { task: repeating, level: 1, start, tokenizer, rows: 8 };
const stage = textStage(options);

const source = (how: BranchesOptions, seed = 0, more: Partial<TextStageOptions> = {}) => {
  let problem = 0;
  return branches(
    { ...options, ...more },
    how,
  )({
    policy: stage.policy,
    weights: start.params as never,
    task: { next: () => [1, 2, 3].map(() => ({ key: "p", seed: problem++, groupSize: 2 })) },
    statistics: new Statistics(),
    key: random.key(seed),
    version: () => 0,
  } as RolloutInput);
};
const column = (e: Episode, name: string) => [...(e.columns[name] as Tensor).data];
const own = (e: Episode, name: string) =>
  column(e, name).filter((_, i) => makers[column(e, "by")[i]] === "policy");

describe("trees of texts", () => {
  const text = (tokens: number[], logProb: number[]): Generated => ({
    tokens,
    logProb,
    modelLogProb: logProb,
    entropy: logProb.map((l) => 1 / (1 - l)),
    version: tokens.map(() => 0),
    ended: "end",
  });
  const stem = () => branch([], text([5, 6, 7, 8], [-0.5, -0.1, -2, -3]));
  const rng = () => defaultRng(0);
  const places = (all: Branch[]) => all.map(({ left }) => [...left]);

  it("fork where a token was unlikely, or the model uncertain, but not at the end and never twice", () => {
    const tree = [stem()];
    const first = forksOf(tree, { count: 2, by: "surprise", margin: 1 }, rng());
    const forked = (at: Prefix) => at.branch.text.tokens[at.length];
    expect(first.map(forked)).toEqual([7, 5]);
    expect(forksOf(tree, { count: 2, by: "surprise", margin: 1 }, rng()).map(forked)).toEqual([6]);
    expect(places(tree)).toEqual([[2, 0, 1]]);
    const other = [stem()];
    expect(forksOf(other, { count: 1, by: "entropy", margin: 0 }, rng()).map(forked)).toEqual([6]);
    expect(forksOf([stem()], { count: 9, by: "random", margin: 2 }, rng())).toHaveLength(2);
  });

  it("have a node for each span between forks", () => {
    const trunk = stem();
    trunk.left.add(1).add(3);
    const early = branch([{ branch: trunk, length: 1 }], text([9, 9], [-1, -1]));
    early.left.add(0);
    const late = branch([{ branch: trunk, length: 3 }], text([9], [-1]));
    const same = branch([...early.before], text([4], [-1]));
    // The trunk is 1 | 2 2 | 3; the early branch begins after its first token, the late one after its third.
    expect(nodesOf([trunk, early, late, same])).toEqual([
      [1, 2, 2, 3],
      [1, 5, 5],
      [1, 2, 2, 6],
      [1, 7],
    ]);
  });
});

describe("branches", () => {
  it("end at a stop string of the stage, also at one that begins before a fork", () => {
    const stop = ["aa", "bc", "d"];
    const leaves = source({ forks: 3, width: 4, rounds: 2 }, 0, { stop }).next() as readonly TextEpisode[];
    const texts = leaves.map((e) => e.answered.text);
    expect(texts.filter((text) => stop.some((s) => text.endsWith(s))).length).toBeGreaterThan(10);
    for (const text of texts)
      for (const s of stop) expect([-1, text.length - s.length]).toContain(text.indexOf(s));
  });

  it("generate whole answers, then other continuations, and count every token once", () => {
    const tree = source({ forks: 2, width: 2, rounds: 2, margin: 1 });
    const leaves = tree.next() as readonly Episode[];
    const groups = new Map<string, Episode[]>();
    for (const e of leaves) groups.set(e.group!, [...(groups.get(e.group!) ?? []), e]);
    expect([...groups.keys()]).toEqual(["0/0", "0/1", "0/2"]);
    let written = 0;
    for (const group of groups.values()) {
      expect(group.length).toBeGreaterThanOrEqual(8);
      // Tokens of a node that several leaves share are identical.
      const nodes = new Map<number, string>();
      for (const leaf of group) {
        const [node, token, logProb] = ["node", "action", "logProb"].map((name) => own(leaf, name));
        for (const id of new Set(node)) {
          const its = token.flatMap((t, i) => (node[i] === id ? [`${i} ${t} ${logProb[i]}`] : [])).join();
          expect(nodes.get(id) ?? its).toBe(its);
          nodes.set(id, its);
        }
        const given = column(leaf, "by").filter((m) => makers[m] === "environment");
        expect(column(leaf, "node").slice(0, given.length)).toEqual(given.map(() => 0));
      }
      written += [...nodes.values()].reduce((n, its) => n + its.split(",").length, 0);
    }
    expect(tree.steps).toBe(written);
  });

  it("have the requested numbers of leaves and roots", () => {
    const count = (how: BranchesOptions) => (source(how).next() as readonly Episode[]).length;
    expect(count({ forks: 0 })).toBe(3 * 2);
    expect(count({ roots: 4, forks: 1, width: 3, margin: 0 })).toBe(3 * 4 * 4);
  });

  it("have the probabilities of the model without KV caches", () => {
    const leaves = source({ forks: 2, rounds: 2, by: "entropy" }).next() as readonly Episode[];
    const texts = (name: string) => {
      const all = zeros([16, leaves.length], "i32");
      leaves.forEach((leaf, e) =>
        column(leaf, name).forEach((x, i) => {
          all.data[i * leaves.length + e] = x;
        }),
      );
      return all;
    };
    const evaluate = compile((observation: Tensor, action: Tensor) =>
      stage.policy.score(start.params, { view: { observation }, action }),
    );
    const { logProb } = evaluate(texts("observation"), texts("action"));
    leaves.forEach((leaf, e) =>
      column(leaf, "by").forEach((m, i) => {
        if (makers[m] !== "policy") return;
        expect(logProb.data[i * leaves.length + e]).toBeCloseTo(column(leaf, "logProb")[i], 4);
      }),
    );
  });

  it("are the same for the same seed, whatever the fork criterion", () => {
    const told = (tree: ReturnType<typeof source>) =>
      [0, 1].flatMap(() =>
        (tree.next() as readonly Episode[]).map((e) => [column(e, "action"), column(e, "node")]),
      );
    for (const by of ["surprise", "entropy", "random"] as const) {
      const how = { by, rounds: 2 };
      expect(told(source(how))).toEqual(told(source(how)));
      expect(told(source(how))).not.toEqual(told(source(how, 1)));
    }
  });

  it("reject greedy baselines and teachers", () => {
    const playing = { task: { next: () => [{ key: "p", groupSize: 1, greedy: true }] } };
    const tree = branches(options)({ ...playing, key: random.key(0), weights: start.params } as never);
    expect(() => tree.next()).toThrow("neither greedy baselines nor teachers");
  });

  it("train, stop and resume without a difference", async () => {
    const algorithm: Algorithm = {
      name: "trees",
      options: {},
      start(context) {
        let seed = 0;
        const parts = {
          name: "trees",
          policy: stage.policy,
          judge: stage.judge,
          rollout: branches(options, { by: "random" }),
          task: {
            next: () => Array.from({ length: 8 }, () => ({ key: "p", seed: seed++, groupSize: 2 })),
            save: () => seed,
            restore: (from: unknown) => (seed = from as number),
          },
          target: (batch: ReturnType<typeof pack>, rewards: Float64Array) => ({
            advantage: targets.treeAdvantages(rewards, batch),
          }),
          loss: losses.policyGradient({ ratio: losses.clipped(0.2) }),
          optimiser: adam({}),
          learningRate: 1e-2,
          epochs: 1,
          minibatches: 1,
          normalise: "none" as const,
        };
        return withSettings(episodic(parts as never, context), {});
      },
    };
    const spec = { id: "repeating", observation: { kind: "text" }, action: { kind: "text" } } as never;
    const env = { spec, stage };
    const fresh = () => new Run({ algorithm, env, steps: 1e6, seed: 3 });
    const whole = fresh();
    const first = (await whole.round())["reward/mean"];
    for (let i = 0; i < 9; i++) await whole.round();
    expect(whole.metrics["reward/mean"]).toBeGreaterThan(first + 0.15);
    const half = fresh();
    for (let i = 0; i < 5; i++) await half.round();
    const rest = fresh();
    rest.restore(half.save());
    for (let i = 0; i < 5; i++) await rest.round();
    expect({ ...rest.metrics }).toEqual({ ...whole.metrics });
  });
});
