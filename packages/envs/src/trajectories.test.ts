import { readFileSync } from "node:fs";
import { columns } from "@reins/core/spaces";
import { leaves, type Tensor, type Tree } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { make } from "./registry.ts";

type Numbers = number | number[];
type Step = [
  action: Numbers,
  observation: Numbers,
  reward: number,
  terminated: boolean,
  truncated: boolean,
  next?: Numbers,
];
interface Episode {
  readonly env: string;
  readonly seed: number;
  readonly options?: Record<string, unknown>;
  readonly observation0: Numbers;
  readonly steps: readonly Step[];
}

const read = (path: string): Episode[] =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")).episodes;

describe.each([
  ["the project's fixture", "../../../fixtures/gymnasium/trajectories.json"],
  ["this package's fixture", "../fixtures/trajectories.json"],
])("Gymnasium's episodes in %s", (_, path) => {
  test.each(read(path))("$env, seed $seed, $options", ({ env: id, seed, options, observation0, steps }) => {
    const env = make(id, options);
    const action = columns(env.spec.action, 1) as Tensor;
    env.reset({ seed });
    // Sines in single and double precision may differ in the last bit.
    expect(distance(env.observation, observation0)).toBeLessThan(1e-7);
    const faults: string[] = [];
    const must = (fine: boolean, what: string) => fine || faults.push(what);
    let [sum, length] = [0, 0];
    steps.forEach(([a, observation, reward, terminated, truncated, next], i) => {
      action.set([a].flat());
      env.step(action);
      const ended = terminated || truncated;
      must(
        env.terminated.data[0] === +terminated && env.truncated.data[0] === +truncated,
        `end in step ${i}`,
      );
      must(distance(ended ? env.final : env.observation, observation) < 1e-5, `observation of step ${i}`);
      must(Math.abs(env.reward.data[0] - reward) < 1e-5, `reward of step ${i}`);
      if (next !== undefined) must(distance(env.observation, next) < 1e-7, `first observation after ${i}`);
      sum += reward;
      length++;
      must(env.ended.length[0] === (ended ? length : 0), `length at step ${i}`);
      must(Math.abs(env.ended.return[0] - (ended ? sum : 0)) < 1e-4, `return at step ${i}`);
      if (ended) [sum, length] = [0, 0];
    });
    expect(faults).toEqual([]);
  });
});

/** The largest difference of an element. */
function distance(tree: Tree, expected: Numbers): number {
  const values = leaves(tree).flatMap((t) => [...t.data]);
  return Math.max(...[expected].flat().map((e, i) => Math.abs(values[i] - e)));
}
