import { vectoriseMulti } from "@reins/core/forms";
import { expect, it } from "vitest";
import { checkEnv } from "../check/index.ts";
import { stagHuntRing } from "./stag-hunt-ring.ts";

const rewards = (actions: number[], options = {}) => {
  const ring = stagHuntRing({ agents: actions.length, hare: 0.4, risks: [0, 3], ...options });
  ring.reset({ seed: 1 });
  return Array.from(ring.step(actions).rewards as number[]);
};

it("rewards stags that both hunt, and charges a lone hunter its own risk", () => {
  expect(rewards([1, 1, 0, 0])).toEqual([1 + 0, 1 - 3, 0.8, 0.8]);
});

it("has full cooperation as an equilibrium that all prefer", () => {
  const [all, none] = [rewards([1, 1, 1, 1]), rewards([0, 0, 0, 0])];
  for (let i = 0; i < 4; i++) {
    const one = [1, 1, 1, 1].map((a, j) => (j === i ? 0 : a));
    expect(all[i]).toBeGreaterThan(rewards(one)[i]);
    expect(all[i]).toBeGreaterThan(none[i]);
  }
});

it("shows a hunter its neighbours' last actions and no more", () => {
  const ring = stagHuntRing({ agents: 5, risks: [2, 7], seesRisk: true });
  ring.reset({ seed: 0 });
  const { observations } = ring.step([1, 1, 0, 0, 0]);
  expect(observations[0]).toEqual([1, 0, 1, 2]);
  expect(observations[3]).toEqual([0, 0, 0, 7]);
  expect(stagHuntRing().spec.observation).toMatchObject({ shape: [3] });
});

it("passes the environment checks", () => {
  expect(checkEnv(() => vectoriseMulti(() => stagHuntRing({ agents: 4, maxSteps: 10 }), 2))).toEqual([]);
});
