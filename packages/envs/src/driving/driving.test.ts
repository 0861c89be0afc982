import { defaultRng } from "@reins/core/random";
import { describe, expect, test } from "vitest";
import { makeSingle } from "../registry.ts";
import { Car } from "./car.ts";
import { drivingHeuristic } from "./driving.ts";
import { Rays } from "./rays.ts";
import { drawTrack, halfWidth, nearestTile, offsetFrom } from "./track.ts";

const tracks = Array.from({ length: 20 }, (_, seed) => drawTrack(defaultRng(seed)));

describe("tracks", () => {
  test("close, in tiles of one length", () => {
    for (const { tiles, x, y } of tracks)
      for (let t = 0; t < tiles; t++) {
        const next = (t + 1) % tiles;
        expect(Math.hypot(x[next] - x[t], y[next] - y[t])).toBeCloseTo(4, 0);
      }
  });

  test("differ, and go in either direction", () => {
    expect(new Set(tracks.map(({ tiles, x }) => `${tiles} ${x[5]}`)).size).toBe(tracks.length);
    const ways = tracks.map(({ x, y, tiles }) => {
      let turn = 0;
      for (let t = 0; t < tiles; t++) {
        const next = (t + 1) % tiles;
        turn += Math.atan2(x[t] * y[next] - y[t] * x[next], x[t] * x[next] + y[t] * y[next]);
      }
      return Math.round(turn / (2 * Math.PI));
    });
    expect(new Set(ways)).toEqual(new Set([1, -1]));
  });

  test("rays across the road are as long as it is wide", () => {
    for (const track of tracks) {
      const rays = new Rays(track, 50);
      rays.from(track.x[7], track.y[7]);
      for (const side of [-1, 1])
        expect(
          Math.abs(rays.length(Math.atan2(track.sin[7], track.cos[7]) + (side * Math.PI) / 2) - halfWidth),
        ).toBeLessThan(0.2);
      expect(nearestTile(track, track.x[7] + 0.1, track.y[7])).toBe(7);
      expect(offsetFrom(track, 7, track.x[7], track.y[7])).toBeCloseTo(0);
    }
  });
});

describe("a car", () => {
  const drive = (car: Car, steps: number, controls: { steer?: number; gas?: number; brake?: number }) => {
    for (let t = 0; t < steps; t++) car.drive({ steer: 0, gas: 0, brake: 0, ...controls });
    return car;
  };

  test("accelerates, stops and stands still", () => {
    const car = drive(new Car(tracks[0]), 50, { gas: 0.5 });
    expect(car.forward).toBeGreaterThan(3);
    drive(car, 100, { brake: 1 });
    expect(Math.abs(car.forward)).toBeLessThan(0.01);
  });

  test("turns where its wheels point", () => {
    const left = drive(drive(new Car(tracks[0]), 20, { gas: 0.5 }), 10, { steer: 1 });
    const right = drive(drive(new Car(tracks[0]), 20, { gas: 0.5 }), 10, { steer: -1 });
    expect(left.spin).toBeGreaterThan(0.2);
    expect(right.spin).toBeCloseTo(-left.spin, 6);
  });

  test("is slower on grass", () => {
    const on = new Car(tracks[0]);
    const off = new Car(tracks[0]);
    off.x += 15 * Math.cos(off.angle + Math.PI / 2);
    off.y += 15 * Math.sin(off.angle + Math.PI / 2);
    drive(on, 30, { gas: 1 });
    drive(off, 30, { gas: 1 });
    expect(off.onRoad).toBe(0);
    expect(off.forward).toBeLessThan(0.8 * on.forward);
  });
});

/** The return and the length of an episode. */
function play(options: object, act: (seen: Float32Array) => number | number[], seed: number) {
  const env = makeSingle("Driving-v0", options);
  let seen = env.reset({ seed }).observation as Float32Array;
  for (let length = 1, sum = 0; ; length++) {
    const step = env.step(act(seen));
    seen = step.observation as Float32Array;
    sum += step.reward as number;
    if (step.terminated || step.truncated) return { sum, length, last: step.reward };
  }
}

describe("Driving-v0", () => {
  test("a hand-written driver finishes the lap", () => {
    for (const seed of [1, 2, 3]) expect(play({}, drivingHeuristic, seed).sum).toBeGreaterThan(880);
  });

  test("standing still costs each step, and leaving the road costs 100", () => {
    const still = play({ maxSteps: 30 }, () => [0, 0], 1);
    expect(still.sum).toBeCloseTo(-3, 5);
    expect(play({}, () => [0, 1], 1).last).toBe(-100);
    expect(play({ discrete: true }, () => 3, 1).last).toBe(-100);
  });

  test("images show the same drives", () => {
    const actions = () => {
      const random = defaultRng(5);
      return () => [random.uniform(-1, 1), random.uniform(0, 1)];
    };
    const options = { maxSteps: 60 };
    expect(play({ ...options, pixels: true }, actions(), 4)).toEqual(play(options, actions(), 4));
  });
});
