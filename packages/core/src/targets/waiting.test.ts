import { tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { defaultRng } from "../numpy/index.ts";
import type { Fragment } from "../target.ts";
import { gae } from "./gae.ts";
import { nStepReturns } from "./n-step.ts";
import { expectClose } from "./testing.ts";
import { vTrace } from "./v-trace.ts";

const [gamma, lambda] = [0.9, 0.7];
const time = 60;

/** A random fragment of an agent that waits in some steps and is absent in others; values of those steps are misleading. */
function fragment(seed: number) {
  const random = defaultRng(seed);
  const numbers = () => Array.from({ length: time }, () => random.uniform(-1, 1));
  const alive = Array.from({ length: time }, (_, t) => t === time - 1 || random.random() < 0.5);
  const end = Array.from(
    { length: time },
    () => ["", "", "", "", "terminated", "truncated"][random.integers(6)],
  );
  const [reward, final, ratio] = [numbers(), numbers(), numbers().map(Math.abs)];
  const value = numbers().map((v, t) => (alive[t] ? v : 1e3));
  // After the fragment, and after a truncation, the value is that of a state that is not in it.
  const nextValue = end.map((e, t) => (e === "truncated" || t === time - 1 ? final[t] : value[t + 1]));
  return { alive, end, reward, value, nextValue, ratio };
}

type Plain = ReturnType<typeof fragment>;

/** The same fragment, in which every step is one from an action to the next one, with its own discount factor. */
function joined({ alive, end, reward, value, nextValue, ratio }: Plain) {
  return alive.flatMap((acts, t) => {
    if (!acts) return [];
    let [at, sum, discount] = [t, reward[t], gamma];
    while (at < time - 1 && !end[at] && !alive[at + 1]) {
      sum += discount * reward[++at];
      discount *= gamma;
    }
    const next = end[at] === "terminated" ? 0 : nextValue[at];
    return [{ t, reward: sum, discount, next, done: end[at] !== "", value: value[t], ratio: ratio[t] }];
  });
}

const column = (xs: readonly (number | boolean)[]) => tensor(xs.map((x) => [x]) as number[][]);
const tensors = (f: Plain): Fragment & { ratio: ReturnType<typeof column> } => ({
  reward: column(f.reward),
  value: column(f.value),
  nextValue: column(f.nextValue),
  ratio: column(f.ratio),
  alive: column(f.alive),
  terminated: column(f.end.map((e) => e === "terminated")),
  done: column(f.end.map((e) => e !== "")),
});

describe.each([1, 2, 3, 4, 5])("an agent that waits, seed %d", (seed) => {
  const plain = fragment(seed);
  const own = joined(plain);
  const acted = (t: { data: ArrayLike<number> }) => own.map((step) => t.data[step.t]);

  it("gae: the recursion over its own steps", () => {
    const expected: number[] = [];
    let later = 0;
    for (const s of [...own].reverse()) {
      later = s.reward + s.discount * s.next - s.value + (s.done ? 0 : s.discount * lambda * later);
      expected.unshift(later);
    }
    const found = gae({ gamma, lambda })(tensors(plain));
    // Means over all steps must not see the others.
    for (let t = 0; t < time; t++) if (!plain.alive[t]) expect(found.advantage.data[t]).toBe(0);
    expectClose(acted(found.advantage), expected);
    expectClose(
      acted(found.return),
      expected.map((a, i) => a + own[i].value),
    );
  });

  it("V-trace: the recursion over its own steps", () => {
    const [returns, advantages]: number[][] = [[], []];
    let [later, corrected] = [0, 0];
    for (const [i, s] of [...own.entries()].reverse()) {
      const [rho, c] = [Math.min(s.ratio, 0.8), lambda * Math.min(s.ratio, 0.6)];
      const next = s.done || i === own.length - 1 ? s.next : corrected;
      later = rho * (s.reward + s.discount * s.next - s.value) + (s.done ? 0 : s.discount * c * later);
      corrected = s.value + later;
      returns.unshift(corrected);
      advantages.unshift(rho * (s.reward + s.discount * next - s.value));
    }
    const found = vTrace({ gamma, lambda, clipRho: 0.8, clipC: 0.6 })(tensors(plain));
    expectClose(acted(found.return), returns);
    expectClose(acted(found.advantage), advantages);
  });

  it.each([1, 2, 4])("%d-step returns: over its own steps", (n) => {
    const expected = own.map((_, i) => {
      let [sum, discount] = [0, 1];
      for (let k = i; ; k++) {
        sum += discount * own[k].reward;
        discount *= own[k].discount;
        if (k === i + n - 1 || own[k].done || k === own.length - 1) return sum + discount * own[k].next;
      }
    });
    expectClose(acted(nStepReturns({ gamma, n })(tensors(plain)).return), expected);
  });

  it("does not matter to an agent that never waits", () => {
    const { alive: _, ...always } = tensors(plain);
    const busy = { ...always, alive: column(plain.alive.map(() => true)) };
    for (const target of [gae({ gamma, lambda }), vTrace({ gamma, lambda }), nStepReturns({ gamma, n: 3 })])
      expect([...target(busy as never).return.data]).toEqual([...target(always as never).return.data]);
  });
});
