import { Run } from "@reins/core";
import { expect, it } from "vitest";
import { algorithms } from "./registry.ts";
import { aim, corridor, endless, fingerprint, score, trained } from "./testing-envs.ts";

/** Settings with which methods for continuous actions learn small tasks in seconds. */
export const small = {
  hidden: [16],
  batch: 32,
  learningStarts: 100,
  learningRate: 5e-3,
  criticRate: 1e-2,
  capacity: 1000,
  gamma: 0.9,
};

/** Tests that every method for continuous actions must pass. */
export function continuousContract(
  name: string,
  options: object,
  { steps = 1500, least = -0.05 } = {},
): void {
  const make = algorithms[name];

  const takesChoices = algorithms[name].definition.actions?.includes("discrete") ?? true;
  it("learns to hit its target", () => {
    const run = trained({ algorithm: make(options), env: aim(), steps, seed: 1 });
    // Random actions score -5/3: a number between -2 and 2 against one between -1 and 1.
    expect(score(run)).toBeGreaterThan(least);
  });

  it("continues exactly after saving and restoring", () => {
    const run = { algorithm: make({ ...options, envs: 2, nStep: 2 }), env: aim(), steps: 400, seed: 3 };
    const whole = trained(run);
    const begun = new Run(run);
    begun.advance(200);
    const resumed = begun.fork();
    resumed.advance();
    expect(fingerprint(resumed)).toEqual(fingerprint(whole));
  });

  it.skipIf(takesChoices)("rejects discrete actions", () => {
    expect(() => trained({ algorithm: make({}), env: corridor(), steps: 10 })).toThrow(
      `${name} needs box actions`,
    );
  });
}

/** A method's value of a reward of 1 per step with discount factor 0.5: 2, if truncation bootstraps. */
export function endlessWorth(name: string, options: object, steps = 1000): number {
  const algorithm = algorithms[name]({ ...options, gamma: 0.5 });
  return trained({ algorithm, env: endless("box"), steps, seed: 1 }).metrics["value/mean"];
}
