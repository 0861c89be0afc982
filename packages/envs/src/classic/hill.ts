import { Canvas } from "../canvas.ts";
import type { Pair } from "../kernels/pair.ts";
import type { Rows } from "../kernels/rows.ts";

/** Left end of the valley that both mountain cars drive in. */
export const leftEnd = -1.2;
/** Right end of the valley. */
export const rightEnd = 0.6;
/** Maximum speed of the car. */
export const fastest = 0.07;

/** The speed of a car at `x`: the left wall stops it. */
export function atWall(x: Pair, v: Pair, left: number): Pair {
  return v.and(x.gt(left).or(v.lt(0).not()));
}

/** Writes the car's state and observation; returns whether it has reached the flag at the goal speed. */
export function arrive(k: Rows, x: Pair, v: Pair, goal: number, goalSpeed: Pair): Pair {
  k.store("position", x);
  k.store("speed", v);
  k.storeSingles("out", [x, v]);
  const there = x.lt(goal).or(v.lt(goalSpeed)).not();
  k.storeFlags("there", there);
  return there;
}

/** The valley with a car and a flag at the end of the road. */
export function drawHill(position: number, speed: number, goal: number): string {
  const canvas = new Canvas(60, 12);
  const across = (x: number) => ((x - leftEnd) / (rightEnd - leftEnd)) * 118;
  const down = (x: number) => 44 - (Math.sin(3 * x) * 0.45 + 0.55) * 36;
  for (let x = leftEnd; x <= rightEnd; x += 0.005) canvas.dot(across(x), down(x));
  canvas.text(across(goal), down(goal) - 4, "⚑");
  canvas.disc(across(position), down(position) - 4, 3);
  return `${canvas}\nposition ${position.toFixed(2)}  speed ${speed.toFixed(3)}`;
}
