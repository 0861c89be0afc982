import { add, type Tensor, where, zeros } from "@reins/tensor";
import { expect, it } from "vitest";
import type { ActingPolicy } from "../policy.ts";
import { PolicyRunner } from "../policy-runner.ts";
import { vectoriseMulti } from "./multi.ts";
import { i32 } from "./testing.ts";
import { Room } from "./testing-room.ts";

const flags = (t: Tensor) => [...t.data].join("");

it("marks the first observations of agents that come back later", () => {
  const vector = vectoriseMulti(() => new Room(4), 1);
  vector.reset();
  const seen = [flags(vector.begins!)];
  for (const b of [0, 1, 1, 1]) {
    vector.step(i32(1, b, 1));
    seen.push(flags(vector.begins!));
  }
  // b leaves in the first step and comes back in the third; c arrives in the second; then a new episode begins.
  expect(seen).toEqual(["110", "000", "001", "010", "110"]);
});

it("resets the memory of a policy where an agent's episode begins", () => {
  const vector = vectoriseMulti(() => new Room(9), 1);
  const counts: number[] = [];
  /** Remembers how many observations each agent has seen in its episode; b leaves in the first step. */
  const counting: ActingPolicy = {
    host: true,
    memory: true,
    init: () => ({}),
    start: (rows) => zeros([rows]),
    act: (_, { first }, state) => {
      const now = add(where(first!, 0, state as Tensor), 1);
      counts.push(now.data[1]);
      return { action: i32(1, counts.length === 1 ? 0 : 1, 1), state: now };
    },
  };
  const runner = new PolicyRunner({ policy: counting, weights: {} }, vector);
  runner.reset(1);
  for (let t = 0; t < 5; t++) runner.step();
  // b comes back in the third step; in between its observation is the old one.
  expect(counts).toEqual([1, 2, 3, 1, 2]);
});
