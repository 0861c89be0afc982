import { random, type Tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { vectoriseMulti } from "../forms/multi.ts";
import { Count } from "../forms/testing-count.ts";
import { TransitionRollout } from "../loop/transition-rollout.ts";
import { save } from "../snapshot.ts";
import { nStep } from "./n-step.ts";
import { type ReplayBufferMaker, replay } from "./replay.ts";
import { entries, fill, type TestStep, testGrid } from "./testing.ts";
import { windows } from "./windows.ts";

/** Two episodes of an agent that waits in every second step; it gets rewards while it waits, and loses the first episode then. */
const moments: readonly TestStep[] = [
  { at: 0, reward: 1, next: 1, nextAlive: false },
  { at: 1, reward: 2, next: 2, alive: false },
  { at: 2, reward: 4, next: 3, nextAlive: false },
  { at: 3, reward: -8, next: 9, alive: false, end: "terminated" },
  { at: 10, reward: 16, next: 11, alive: false },
  { at: 11, reward: 32, next: 12 },
  { at: 12, reward: 64, next: 19, end: "truncated" },
];

function played(maker: ReplayBufferMaker, resume = -1) {
  const grid = testGrid(1, { waits: true });
  let memory = maker(grid, 1);
  moments.forEach((moment, i) => {
    if (i === resume) {
      const kept = memory.save();
      memory = maker(grid, 1);
      memory.restore(kept);
    }
    memory.add(fill(grid, [moment]));
  });
  return memory;
}

it("gives an action the rewards and the end that come while its agent waits", () => {
  expect(entries(played(replay({ capacity: 9, record: nStep({ gamma: 0.5 }) })))).toEqual([
    [0, 3, 0.5, 2],
    [2, -4, 0, 9],
    [11, 32, 0.5, 12],
    [12, 64, 0.5, 19],
  ]);
});

it("joins no steps of different episodes", () => {
  expect(entries(played(replay({ capacity: 9, record: nStep({ steps: 3, gamma: 0.5 }) })))).toEqual([
    [0, 1, 0, 9],
    [2, -4, 0, 9],
    [11, 64, 0.25, 19],
    [12, 64, 0.5, 19],
  ]);
  const memory = played(replay({ capacity: 9, record: windows({ length: 3 }) }));
  expect([...(memory.columns.valid as Tensor).data].slice(0, 6)).toEqual([1, 1, 0, 1, 1, 0]);
});

it("resumes exactly while an agent waits", () => {
  const maker = replay({ capacity: 9, record: nStep({ steps: 3, gamma: 0.5 }) });
  for (let i = 1; i < moments.length; i++) expect(save(played(maker, i))).toEqual(save(played(maker)));
});

it("shows both players of a game in turns how it ended", async () => {
  const env = vectoriseMulti(() => new Count(), 1);
  const rollout = new TransitionRollout({
    env,
    policy: { init: () => ({}), act: (_, { observation }, state) => ({ action: observation, state }) },
    weights: {},
    steps: 5,
    randomSteps: 1000,
    key: random.key(1),
    seed: 0,
  });
  const memory = replay({ capacity: 1000 })(rollout.columns, 1);
  for (let i = 0; i < 40; i++) memory.add(await rollout.next());
  const ends = (reward: number) => entries(memory).filter((e) => e[1] === reward && e[2] === 0).length;
  expect(ends(1)).toBeGreaterThan(20);
  expect(ends(-1)).toBe(ends(1));
});
