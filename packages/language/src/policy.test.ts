import type { Columns, LossTerm, ScoringPolicy } from "@reins/core";
import { initTrainState, learnFrom, lossGradient } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { type GptOptions, sgd } from "@reins/nn";
import { compile, leaves, random, setBackend, type Tensor, type Tree, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { TextGenerator } from "./generation/generator.ts";
import type { Request } from "./generation/sequence.ts";
import { newModel } from "./models/language-model.ts";
import { lora } from "./models/lora.ts";
import { languagePolicy } from "./policy.ts";

setBackend("wasm");

const shape = { layers: 1, width: 16, heads: 2, context: 40, vocabulary: 12, deviation: 0.3 };
const styles: { readonly [name: string]: GptOptions } = {
  "learned positions": { ...shape, style: "gpt2" },
  rotation: { ...shape, style: "llama" },
};
const made = (options: GptOptions = styles.rotation) => newModel(options, random.key(3));

/** A deterministic text of this length. */
const text = (length: number, at: number) =>
  Array.from({ length }, (_, t) => 2 + ((7 * at + 3 * t * t) % 10));

/** The policy's scores of whole texts, padded to a length with some token: a list for each text. */
function judged(
  policy: ScoringPolicy,
  weights: Tree,
  texts: readonly (readonly number[])[],
  time: number,
  filler = 0,
) {
  const column = (of: (t: readonly number[]) => readonly number[]) =>
    tensor(
      Array.from({ length: time }, (_, t) => texts.map((x) => of(x)[t] ?? filler)),
      { dtype: "i32" },
    );
  const found = compile((w: Tree, observation: Tensor, action: Tensor) => {
    const { logProb, entropy, value } = policy.score(w, { view: { observation }, action });
    return { logProb, entropy, value: value ?? entropy };
  })(
    weights,
    column((x) => x.slice(0, -1)),
    column((x) => x.slice(1)),
  );
  const rows = (x: Tensor) =>
    texts.map((own, r) => Array.from({ length: own.length - 1 }, (_, t) => x.data[t * texts.length + r]));
  return { logProb: rows(found.logProb), entropy: rows(found.entropy), value: rows(found.value) };
}

function near(
  found: readonly (readonly number[])[],
  wanted: readonly (readonly number[])[],
  tolerance = 1e-5,
) {
  expect(found.map((x) => x.length)).toEqual(wanted.map((x) => x.length));
  found.forEach((row, r) =>
    row.forEach((x, t) => {
      if (!(Math.abs(x - wanted[r][t]) < tolerance))
        expect.fail(`text ${r}, step ${t}: ${x}, not ${wanted[r][t]}`);
    }),
  );
}

describe.each(Object.entries(styles))("the score of a text, with %s", (_, options) => {
  it("does not depend on padding or on other texts in the batch", () => {
    const start = made(options);
    const policy = languagePolicy({
      ...start,
      temperature: 0.8,
      critic: 16,
    });
    const weights = policy.init(random.key(0)) as { value: { weight: Tensor } };
    weights.value.weight.data.forEach((_, i) => (weights.value.weight.data[i] = Math.sin(i)));
    const texts = [5, 12, 2, 30, 17].map(text);
    const alone = texts.map((x) => judged(policy, weights, [x], x.length - 1));
    const names = ["logProb", "entropy", "value"] as const;
    // 48 exceeds the context: padding may, texts may not.
    for (const time of [29, 32, 48])
      for (const filler of [0, 7]) {
        const together = judged(policy, weights, texts, time, filler);
        for (const name of names)
          near(
            together[name],
            alone.map((a) => a[name][0]),
          );
      }
  });
});

describe("recorded log-probabilities equal the policy's scores", () => {
  const start = made();
  const sampling = { temperature: 0.6 };
  const policy = languagePolicy({ ...start, ...sampling });
  const make = (rows: number) =>
    new TextGenerator({
      model: start.model,
      params: start.params,
      vocabulary: 12,
      context: 40,
      end: 1,
      sampling,
      rows,
      version: () => 1,
    });
  const requests = (from: readonly (readonly number[])[]): Request[] =>
    from.map((prompt, i) => ({ prompt, seed: 50 + i, limit: 14 }));
  const check = (asked: readonly Request[], written: ReturnType<TextGenerator["generate"]>, least = 5) => {
    const texts = written.map((g, i) => [...asked[i].prompt, ...g.tokens]);
    const { logProb } = judged(policy, start.params as unknown as Tree, texts, 39);
    near(
      written.map((g) => g.logProb),
      logProb.map((row, i) => row.slice(asked[i].prompt.length - 1)),
    );
    expect(written.some((g) => g.tokens.length >= least)).toBe(true);
  };
  const prompts = [3, 9, 1, 24, 5, 9, 13].map(text);

  it("for texts generated at once, one after another, and in stages", () => {
    const asked = requests(prompts);
    check(asked, make(8).generate(asked));
    check(asked, make(2).generate(asked));
    const writing = make(2).begin(asked);
    while (!writing.done) writing.advance(3);
    check(asked, writing.advance(0));
  });

  it("for texts that share prefixes, with each other and with earlier texts", () => {
    const generator = make(4);
    const first = requests(prompts.slice(0, 4));
    const written = generator.generate(first);
    check(first, written);
    const forks = requests(
      written.flatMap((g, i) =>
        [1, 4, 4].map((n) => [...prompts[i], ...g.tokens.slice(0, n)]).filter((p) => p.length < 40),
      ),
    );
    check(forks, generator.generate(forks));
    // Up to the last position of the context.
    const long = requests([0, 1, 2].map((n) => [...prompts[3], ...text(12 + n, 9)]));
    check(long, generator.generate(long), 2);
  });
});

it("kept sets and temperatures of single tokens are the same in blocks of tokens", () => {
  const start = made();
  const [time, texts] = [20, 3];
  const tokens = (at: number) =>
    tensor(
      Array.from({ length: time }, (_, t) =>
        Array.from({ length: texts }, (_, r) => text(time + 1, r)[t + at]),
      ),
      { dtype: "i32" },
    );
  const of = (value: (i: number) => number) => Array.from({ length: time * texts }, (_, i) => value(i));
  const action = tokens(1);
  // The chosen token, and some others.
  const kept = tensor(Int32Array.from(of((i) => (1 << action.data[i]) | (i % 5 ? 0b101101 << (i % 4) : 0))), {
    shape: [time, texts, 1],
  });
  const inverseTemperature = tensor(Float32Array.from(of((i) => 0.5 + (i % 7) / 4)), {
    shape: [time, texts],
  });
  const [whole, blocks] = [undefined, 1].map((logits) =>
    languagePolicy({ ...start, temperature: 0.3, ...(logits ? { logits } : {}) }).score(start.params, {
      view: { observation: tokens(0) },
      action,
      trace: { kept, inverseTemperature },
    }),
  );
  near([[...blocks.logProb.data]], [[...whole.logProb.data]]);
  near([[...blocks.entropy.data]], [[...whole.entropy.data]]);
  // Every fifth choice is forced.
  whole.logProb.data.forEach((p: number, i: number) =>
    i % 5 ? expect(p).toBeLessThan(0) : expect(Math.abs(p)).toBe(0),
  );
});

describe("tokens outside the loss", () => {
  const start = made();
  const policy = languagePolicy({ ...start, critic: 16 });
  const weights = policy.init(random.key(0));
  // Prompt, hint, own tokens, a tool's, own again, padding; and a rollout that is only a baseline.
  const alive = [
    [0, 0, 0, 1, 1, 0, 0, 1, 0, 0],
    [0, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ];
  const turned = (rows: readonly (readonly number[])[], dtype: "f32" | "i32" | "bool") =>
    tensor(
      rows[0].map((_, t) => rows.map((row) => row[t])),
      { dtype },
    );
  /** Columns that differ by `change` where they do not count. */
  const columns = (change: number) => {
    const where = (value: number) =>
      alive.map((row, r) => row.map((on, t) => value + (on ? 0 : change) + r / 8 - t / 16));
    const tokens = (by: number) =>
      alive.map((row, r) => row.map((on, t) => 2 + ((r + 3 * t + (on ? 0 : by)) % 10)));
    return {
      observation: turned(tokens(0), "i32"),
      // The next token enters only the loss.
      action: turned(tokens(change), "i32"),
      logProb: turned(where(-2), "f32"),
      proximal: turned(where(-2.1), "f32"),
      reference: turned(where(-2.5), "f32"),
      advantage: turned(where(0.4), "f32"),
      return: turned(where(0.9), "f32"),
      value: turned(where(0.1), "f32"),
      alive: turned(alive, "bool"),
    };
  };
  const { clipped, dualClipped, geometricRatio, detachedClip, policyGradient, sequenceRatio, unclipped } =
    losses;
  const terms: { readonly [name: string]: LossTerm } = {
    "the plain gradient": policyGradient(),
    "clipped, with every metric": policyGradient({ ratio: clipped(0.2), clip: 0.2 }),
    "held from both sides, as a mean over texts": losses.aggregated(
      "text",
      policyGradient({ ratio: dualClipped(0.2) }),
    ),
    "held as weights, over a constant length": losses.aggregated(
      "constant",
      policyGradient({ ratio: detachedClip(0.2) }),
    ),
    "a text's ratio, as a sum": losses.aggregated(
      "sum",
      policyGradient({ ratio: sequenceRatio(clipped(0.2)) }),
    ),
    "a geometric mean": losses.aggregated("text", policyGradient({ ratio: geometricRatio(0.2) })),
    "truncated importance weights": policyGradient({ ratio: unclipped, most: 2 }),
    "the divergence": losses.referenceKl("k3"),
    "the critic's error": losses.valueError({ clip: 0.2 }),
    entropy: losses.entropy(),
    cloning: losses.behaviourCloning(),
  };

  it.each(Object.entries(terms))("are excluded from the gradient: %s", (_, term) => {
    const of = (change: number) => {
      const { gradient, value } = lossGradient(term, {
        policy,
        weights,
        columns: columns(change),
        state: {},
        key: random.key(0),
      });
      return [value.item(), ...leaves(gradient).flatMap((g) => Array.from(g.data))];
    };
    const plain = of(0);
    expect(plain.some((x) => x !== 0)).toBe(true);
    expect(of(5)).toEqual(plain);
    expect(of(9)).toEqual(plain);
  });
});

it("a critic starts at 0 and learns", () => {
  const policy = languagePolicy({ ...made(), critic: 16 });
  let weights: Tree = policy.init(random.key(0));
  const texts = [6, 6].map(text);
  const value = () => judged(policy, weights, texts, 5).value;
  expect(value().flat()).toEqual(Array(10).fill(0));
  const row = (of: (r: number, t: number) => number, dtype: "f32" | "i32" | "bool") =>
    tensor(
      [0, 1, 2, 3, 4].map((t) => [0, 1].map((r) => of(r, t))),
      { dtype },
    );
  const columns = {
    observation: row((r, t) => texts[r][t], "i32"),
    action: row((r, t) => texts[r][t + 1], "i32"),
    // One text has return 1 and the other -1.
    return: row((r) => 1 - 2 * r, "f32"),
    alive: row(() => 1, "bool"),
  };
  const optimiser = sgd({ learningRate: 0.3 });
  const update = compile((w: Tree) => {
    const { gradient } = lossGradient(losses.valueError(), {
      policy,
      weights: w,
      columns,
      state: {},
      key: random.key(0),
    });
    return optimiser.update(gradient, optimiser.init(w), w).params;
  });
  for (let i = 0; i < 150; i++) weights = update(weights);
  const [first, second] = value();
  // The first tokens are identical to the model: later ones distinguish the texts.
  expect(first[4]).toBeGreaterThan(0.8);
  expect(second[4]).toBeLessThan(-0.8);
});

describe("training on parts of a batch", () => {
  const [time, rows] = [16, 8];
  const column = (shift: number) =>
    tensor(
      Int32Array.from(
        { length: time * rows },
        (_, i) => text(time + 1, i % rows)[Math.floor(i / rows) + shift],
      ),
      { shape: [time, rows] },
    );
  // Texts of different lengths, the last of them padding, with prompts outside the loss.
  const columns: Columns = {
    observation: column(0),
    action: column(1),
    advantage: random.normal(random.key(5), [time, rows]),
    alive: tensor(
      Uint8Array.from({ length: time * rows }, (_, i) => {
        const [t, row] = [Math.floor(i / rows), i % rows];
        return row < 7 && t >= 3 && t < 6 + row ? 1 : 0;
      }),
      { shape: [time, rows], dtype: "bool" },
    ),
  };
  /** Weights and metrics after two minibatches. */
  function learned(
    start: ReturnType<typeof made>,
    aggregation: "token" | "text",
    accumulate: number,
    logits?: number,
  ) {
    const policy = languagePolicy({ ...start, logits });
    const optimiser = sgd({});
    const learning = {
      loss: losses.aggregated(aggregation, losses.policyGradient()),
      optimiser,
      learningRate: 0.1,
      epochs: 1,
      minibatches: 2,
      normalise: "none",
      accumulate,
    } as const;
    const { state, metrics } = compile((w: Tree, all: Columns, key: Tensor) =>
      learnFrom(learning, { policy, learned: initTrainState(w, optimiser), columns: all, key }),
    )(policy.init(random.key(1)), columns, random.key(2));
    return { weights: leaves(state.weights).flatMap((t) => [...t.data]), metrics };
  }
  const starts = { model: made(), adapters: lora(made(), { rank: 2 }, random.key(9)) };

  it.each([
    ["model", "token", 4, undefined],
    ["model", "text", 2, undefined],
    ["model", "token", 1, 1],
    ["adapters", "text", 4, 1],
  ] as const)(
    "gives the same weights: %s, a %s counting the same, in %i parts, at most %s logits",
    (name, aggregation, parts, logits) => {
      const whole = learned(starts[name], aggregation, 1);
      const apart = learned(starts[name], aggregation, parts, logits);
      near([apart.weights], [whole.weights], 2e-6);
      for (const metric of ["loss/total", "loss/policy", "policy/entropy", "gradient/norm"])
        expect(apart.metrics[metric].item()).toBeCloseTo(whole.metrics[metric].item(), 5);
    },
  );
});
