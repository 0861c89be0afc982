import { setBackend, type Tensor, tensor, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { replay } from "./replay.ts";
import { type EpisodeReturnsOptions, episodeReturns } from "./returns.ts";
import { fill, type TestStep, testGrid } from "./testing.ts";

setBackend("wasm");

type Step = { reward: number; terminated?: boolean; truncated?: boolean; value?: number; bootstrap?: number };

/** The stored entries of some steps: observations (their numbers) and returns. */
function remembered(steps: readonly Step[], options: Partial<EpisodeReturnsOptions> = {}, resumeAt = -1) {
  const noted = { value: zeros([1, 1]), bootstrap: zeros([1, 1]) };
  const grid = { ...testGrid(1), ...noted };
  const make = () =>
    replay({ capacity: 20, record: episodeReturns({ gamma: () => 0.5, ...options }) })(grid, 4);
  let memory = make();
  steps.forEach(({ reward, terminated = false, truncated = false, value = 0, bootstrap = 0 }, t) => {
    if (t === resumeAt) {
      const other = make();
      other.restore(memory.save());
      memory = other;
    }
    fill(grid, [
      {
        at: t,
        reward,
        next: 0,
        ...(terminated ? { end: "terminated" } : truncated ? { end: "truncated" } : {}),
      },
    ]);
    noted.value.data[0] = value;
    noted.bootstrap.data[0] = bootstrap;
    memory.add({ columns: grid, index: { kind: "grid", time: 1, rows: 1 } });
  });
  const { observation, return: returns } = memory.columns as { observation: Tensor; return: Tensor };
  const width = observation.size / 20;
  return Array.from({ length: memory.size.data[0] }, (_, i) => [
    observation.data[i * width],
    returns.data[i],
  ]);
}

describe("episodeReturns", () => {
  it("stores steps with their discounted returns when the episode ends", () => {
    const steps = [{ reward: 1 }, { reward: 0 }, { reward: 4, terminated: true }, { reward: 9 }];
    expect(remembered(steps)).toEqual([
      [0, 2],
      [1, 2],
      [2, 4],
    ]);
    expect(remembered(steps, { maxSteps: Number.POSITIVE_INFINITY })).toEqual(remembered(steps));
  });

  it("counts rewards and ends that come while an agent waits", () => {
    const grid = testGrid(1, { alive: true });
    const memory = replay({ capacity: 9, record: episodeReturns({ gamma: () => 0.5 }) })(grid, 4);
    const moments: TestStep[] = [
      { at: 0, reward: 0, next: 0, alive: false },
      { at: 1, reward: 1, next: 0 },
      { at: 2, reward: 2, next: 0, alive: false },
      { at: 3, reward: 4, next: 0 },
      { at: 4, reward: -8, next: 0, alive: false, end: "terminated" },
      { at: 5, reward: 16, next: 0, end: "terminated" },
    ];
    for (const moment of moments) memory.add(fill(grid, [moment]));
    const { observation, return: returns } = memory.columns as { observation: Tensor; return: Tensor };
    expect([...observation.data].slice(0, memory.size.data[0])).toEqual([1, 3, 5]);
    expect([...returns.data].slice(0, 3)).toEqual([2, 0, 16]);
  });

  it("sums rewards of several components", () => {
    const grid = { ...testGrid(1), reward: tensor([[[1, 100]]]) };
    const memory = replay({ capacity: 4, record: episodeReturns({ gamma: () => 1 }) })(grid, 4);
    for (const end of [false, true]) {
      grid.terminated.data[0] = Number(end);
      memory.add({ columns: grid, index: { kind: "grid", time: 1, rows: 1 } });
    }
    expect([...(memory.columns as { return: Tensor }).return.data.slice(0, 2)]).toEqual([202, 101]);
  });

  it("bootstraps truncated episodes from the critic", () => {
    expect(remembered([{ reward: 1 }, { reward: 1, truncated: true, bootstrap: 8 }])).toEqual([
      [0, 3.5],
      [1, 5],
    ]);
    // The third step exceeds a fragment of two, so its value is the bootstrap.
    expect(remembered([{ reward: 1 }, { reward: 1 }, { reward: 1, value: 8 }], { maxSteps: 2 })).toEqual([
      [0, 3.5],
      [1, 5],
    ]);
  });

  it("resumes exactly within an episode", () => {
    const steps = [{ reward: 1 }, { reward: 2 }, { reward: 3, terminated: true }];
    expect(remembered(steps, {}, 2)).toEqual(remembered(steps));
  });
});
