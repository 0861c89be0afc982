import { type Episode, type Judge, Run, type Stage, withSettings } from "@reins/core";
import { episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { Statistics } from "@reins/core/metrics";
import { adam } from "@reins/nn";
import { setBackend, type Tree } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { textStage } from "../stage/stage.ts";
import type { TextTask, Verification } from "../tasks/text-task.ts";
import { characters } from "../tokenizers/characters.ts";
import { echo, options, placeOf, playing, tiny } from "./testing.ts";
import { verdictsOf, verifier } from "./verifier.ts";

setBackend("wasm");

describe("an invalid stage is rejected at once", () => {
  it("a tokenizer with more tokens than the model", () => {
    const tokenizer = characters("abcdefgh:");
    expect(() => textStage(options({ tokenizer }))).toThrow(
      "task echo: the tokenizer has 11 tokens, but the model's vocabulary is 7. Use the model's own tokenizer",
    );
    // Fewer are fine: models are often padded to a round number.
    textStage(options({ start: tiny({ vocabulary: 16 }) }));
  });

  it("a prompt that does not fit, with or without its answer", () => {
    const short = (context: number) => () => textStage(options({ start: tiny({ context }) }));
    expect(short(6)).toThrow("a prompt has 8 tokens and its answer 4, but the model's context is 6");
    expect(short(11)).toThrow("Use a model with a longer context or an easier level");
    short(12)();
    expect(() => textStage(options({ level: 2, start: tiny({ context: 12 }) }))).toThrow("a prompt has 11");
  });

  it("a harder problem that a later task requests", () => {
    const { play, show } = playing(options({ start: tiny({ context: 12 }) }), () => [
      { context: { level: 2 }, teachers: 1 },
    ]);
    expect(() => show.next()).toThrow("the model's context is 12");
    expect(() => play.next()).toThrow("the model's context is 12");
  });

  it("texts that the tokenizer would change: dropped characters, merged blanks, lower case", () => {
    const as = (
      decode: (text: string) => string,
      prompt: string,
      alphabet = "abcd :",
      specialTokens: readonly string[] = [],
    ) => {
      const letters = characters("abcd :ABCD");
      const text = (tokens: Iterable<number>) => decode(letters.decode(tokens));
      const make: typeof echo.make = (random) => ({
        prompt: prompt + "a".repeat(1 + random.integers(9)),
        answer: "a",
        data: { letters: "a" },
      });
      const odd = { ...echo, alphabet, make };
      const start = tiny({ vocabulary: letters.size });
      const tokenizer = { ...letters, specialTokens, decode: text };
      return () => textStage(options({ task: odd, start, tokenizer }));
    };
    expect(as((t) => t, "a  b")).not.toThrow();
    // Some tokenizers put a blank before a text.
    expect(as((t) => ` ${t}`, "a  b")).not.toThrow();
    expect(as((t) => t.replaceAll(/[bd]/g, ""), "a")).toThrow('cannot encode "b", "d" of');
    expect(as((t) => t.replaceAll(" ", ""), "a b")).toThrow('cannot encode " " of');
    expect(as((t) => t.replaceAll(/ +/g, " "), "a  b")).toThrow(
      /the tokenizer changes "a {2}ba+" to "a ba+"/,
    );
    expect(as((t) => t.toLowerCase(), "a", "abA:")).toThrow('cannot encode "A" of');
    // Decoding leaves out special tokens.
    expect(as((t) => t.replaceAll("CD", ""), "CD", "abcd :", ["CD"])).toThrow(
      "contains CD, a special token of the tokenizer. Remove it",
    );
  });

  it("fields of the episode outside it, which would make the task one of a single turn", () => {
    for (const name of ["tools", "turn", "agent", "turns"]) {
      const task = { ...echo, [name]: undefined };
      expect(() => textStage(options({ task }))).toThrow(
        `task echo: ${name} is a field of the episode. Write episode: { ${name}: … }.`,
      );
    }
  });

  it("an answer limit below 1", () => {
    const longest = { prompt: 12, answer: Number.NEGATIVE_INFINITY };
    expect(() => textStage(options({ task: { ...echo, longest } }))).toThrow(
      "task echo: the answer limit is -Infinity (longest.answer of the task, plus 1). Set it to at least 1",
    );
    expect(() => textStage(options({ limit: 0 }))).toThrow("the answer limit is 0 (the option `limit`)");
  });

  it("an unknown level, letters without a token, temperature 0", () => {
    expect(() => textStage(options({ level: 3 }))).toThrow("level is 3; it must be from 1 to");
    expect(() => textStage(options({ tokenizer: characters("abc:") }))).toThrow(
      'task echo: the tokenizer cannot encode "d" of its problems and answers.',
    );
    expect(() => textStage(options({ sampling: { temperature: 0 } }))).toThrow("temperature is 0");
  });
});

/** The task with another verifier. */
const judgedBy = (verify: TextTask["verify"]): TextTask => ({ ...(echo as TextTask), verify });
const right: Verification = { score: 1, wellFormed: true };
const failing: { readonly [name: string]: { verify: () => unknown; why: string } } = {
  throws: {
    verify: () => {
      throw new Error("no such table");
    },
    why: "no such table",
  },
  "throws something else": {
    verify: () => {
      throw "a string";
    },
    why: "a string",
  },
  "promises and fails": { verify: () => Promise.reject(new Error("gone")), why: "gone" },
  "gives no number": { verify: () => ({ score: Number.NaN, wellFormed: true }), why: "the score is NaN" },
  "gives nothing": { verify: () => undefined, why: "undefined" },
  "never ends": { verify: () => new Promise(() => {}), why: "no verdict within 20 ms" },
};

describe.each(Object.entries(failing))("a verifier that %s", (_, { verify, why }) => {
  it("gives reward 0 with a reason; other answers are judged as usual", async () => {
    let turn = 0;
    const task = judgedBy(() => (turn++ === 1 ? (verify() as Verification) : right));
    const judge = verifier(task, { patience: 20 });
    const episodes = [0, 1, 2].map(() => ({ answered: { problem: {}, text: "" } }) as unknown as Episode);
    const verdicts = await judge(episodes, { statistics: new Statistics() });
    expect(verdicts.map((v) => v.reward)).toEqual([1, 0, 1]);
    expect(verdicts[1].failed).toContain(why);
    expect(verdicts[0].wellFormed).toBe(true);
  });
});

it("all verdicts that arrive one after another are awaited", async () => {
  let last: Promise<unknown> = Promise.resolve();
  const slow = judgedBy(() => {
    const own = last.then(() => new Promise((done) => setTimeout(done, 10))).then(() => right);
    last = own;
    return own;
  });
  const answers = Array.from({ length: 8 }, () => ({ problem: {} as never, text: "" }));
  const verdicts = await verdictsOf(slow, answers, { patience: 60 });
  expect(verdicts.map((v) => v.reward)).toEqual(Array(8).fill(1));
  expect(await verdictsOf(slow, [])).toEqual([]);
});

/** Trains briefly on a stage's rollouts. */
const run = (
  stage: Stage,
  judge: Judge = stage.judge,
  more: Partial<ConstructorParameters<typeof Run>[0]> = {},
) =>
  new Run({
    algorithm: {
      name: "some",
      options: {},
      start: (context) =>
        withSettings(
          episodic(
            {
              name: "some",
              policy: stage.policy,
              rollout: stage.play,
              judge,
              task: { next: () => [{ key: "p", seed: 1, groupSize: 4 }], save: () => 0, restore: () => {} },
              target: () => ({}),
              loss: losses.behaviourCloning(),
              optimiser: adam({}),
              learningRate: 1e-3,
              epochs: 1,
              minibatches: 1,
              normalise: "none",
            },
            context,
          ),
          {},
        ),
    },
    env: placeOf(options()),
    steps: 1000,
    ...more,
  });

describe("a run", () => {
  it("counts failed verdicts", async () => {
    let turn = 0;
    const task = judgedBy(() => {
      if (turn++ % 4 === 0) throw new Error("out of memory");
      return right;
    });
    const going = run(textStage(options({ task })));
    await going.round();
    expect(going.metrics["judge/failed"]).toBe(0.25);
    expect(going.metrics["reward/mean"]).toBe(0.75);
  });

  it("evaluates failed verdicts as wrong answers", async () => {
    let turn = 0;
    const task = judgedBy(() => {
      if (turn++ % 2 === 0) throw new Error("out of memory");
      return right;
    });
    const { mean } = await textStage(options({ task })).evaluate(tiny().params as unknown as Tree, {
      episodes: 6,
    });
    expect(mean).toBe(0.5);
  });

  it("ends with the reason if every verdict fails", async () => {
    const task = judgedBy(() => {
      throw new Error("out of memory");
    });
    const stage = textStage(options({ task }));
    await expect(async () => run(stage).round()).rejects.toThrow(
      "some: the judge (reward function) failed on all 4 episodes of a batch. The first error: out of memory. Fix",
    );
    await expect(stage.evaluate(tiny().params as unknown as Tree, { episodes: 3 })).rejects.toThrow(
      "task echo: the verifier failed on all 3 answers, so the model has no score. First failure: out of memory",
    );
  });

  it("rejects a judge's NaN", async () => {
    const judge: Judge = (episodes) => episodes.map((_, i) => ({ reward: i === 2 ? Number.NaN : 1 }));
    expect(() => run(textStage(options()), judge).round()).toThrow(
      "some: the judge returned the reward NaN for an episode of echo 1. Rewards must be finite numbers.",
    );
  });

  it("rejects a checkpoint of another model", async () => {
    const small = run(textStage(options()));
    const wide = run(textStage(options({ start: tiny({ width: 16 }) })));
    expect(() => wide.restore(small.save())).toThrow(
      "process.weights.tokens.table has shape [7,16] here; in the checkpoint it has shape [7,12]",
    );
  });
});
