import { type AlgorithmMaker, type OptionTable, Run, signals } from "@reins/core";
import { expect } from "vitest";
import { corridor, fingerprint, trained } from "./testing-envs.ts";

/** Settings with which methods that replay learn the corridor in a second or two. */
export const quick = {
  hidden: [16],
  batch: 32,
  learningStarts: 64,
  trainEvery: 1,
  targetEvery: 20,
  learningRate: 5e-3,
  capacity: 500,
  gamma: 0.9,
  epsilon: signals.linear(1, 0.1, 0.3),
};

/** Expects that a run of the corridor that was copied in the middle goes on as if nothing had been, and repeats with its seed. */
export function expectExactResume(maker: AlgorithmMaker<OptionTable>, given: object, steps: number): void {
  const options = { algorithm: maker(given), env: corridor(), steps, seed: 3 };
  const whole = trained(options);
  const begun = new Run(options);
  begun.advance(steps / 2);
  const resumed = begun.fork();
  begun.advance();
  resumed.advance();
  expect(fingerprint(begun)).toEqual(fingerprint(whole));
  expect(fingerprint(resumed)).toEqual(fingerprint(whole));
}
