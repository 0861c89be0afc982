import { compile, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import type { Fragment } from "../target.ts";
import { gae } from "./gae.ts";
import { example, expectClose, reference } from "./testing.ts";

interface Case {
  gamma: number;
  gae_lambda: number;
  rewards: number[][];
  values: number[][];
  episode_starts: number[][];
  last_values: number[];
  last_dones: number[];
  advantages: number[][];
  returns: number[][];
}

it("agrees with Stable-Baselines3", () => {
  const { gae: cases } = reference<{ gae: Case[] }>("rl/gae.json");
  expect(cases.length).toBeGreaterThan(0);
  for (const c of cases) {
    // There a flag marks the first step of an episode; here it marks the last step of the previous one.
    const done = tensor([...c.episode_starts.slice(1), c.last_dones].map((row) => row.map((x) => x === 1)));
    const s: Fragment = {
      reward: tensor(c.rewards),
      value: tensor(c.values),
      nextValue: tensor([...c.values.slice(1), c.last_values]),
      terminated: done,
      done,
    };
    const target = compile((x: Fragment) => gae({ gamma: c.gamma, lambda: c.gae_lambda })(x));
    const result = target(s);
    expectClose(result.advantage, c.advantages.flat(), 1e-5);
    expectClose(result.return, c.returns.flat(), 1e-5);
  }
});

it("by hand: a termination has value 0, a truncation has the final state's value", () => {
  const { advantage, return: returns } = gae({ gamma: 0.5, lambda: 0.5 })(example());
  // Errors: 1 + 10 - 10, 2 - 20, 3 + 20 - 30, 4 + 3.5 - 40, 5 + 30 - 50, 6 + 4 - 60.
  const errors = [1, -18, -7, -32.5, -15, -50];
  const expected = [1 - 18 / 4, -18, -7 - 32.5 / 4, -32.5, -15 - 50 / 4, -50];
  expectClose(gae({ gamma: 0.5, lambda: 0 })(example()).advantage, errors);
  expectClose(advantage, expected);
  expectClose(
    returns,
    expected.map((a, t) => a + (t + 1) * 10),
  );
});

it("with lambda = 1 it is the return minus the value", () => {
  const { advantage } = gae({ gamma: 0.9, lambda: 1 })(example());
  const g5 = 6 + 0.9 * 8;
  const g3 = 4 + 0.9 * 7;
  const returns = [1 + 0.9 * 2, 2, 3 + 0.9 * g3, g3, 5 + 0.9 * g5, g5];
  expectClose(
    advantage,
    returns.map((g, t) => g - (t + 1) * 10),
  );
});

it("a reward of several components counts as their sum", () => {
  const s = example();
  const parts = tensor(Array.from(s.reward.data, (r) => [[r - 1, 1]]));
  const options = { gamma: 0.9, lambda: 0.8 };
  expectClose(gae(options)({ ...s, reward: parts }).return, Array.from(gae(options)(s).return.data));
});
