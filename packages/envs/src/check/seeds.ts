import type { Env, VectorEnv } from "@reins/core";
import { rowSeeds } from "@reins/core/forms";
import type { Findings } from "./finding.ts";
import { subjectOf } from "./subject.ts";
import { difference, trace } from "./trace.ts";
import { sameValue, showValue } from "./values.ts";

/** Equal seeds must give equal episodes, in another copy and in the same one; different seeds should not. */
export function checkSeeds(
  make: () => Env | VectorEnv,
  seeds: readonly number[],
  steps: number,
  findings: Findings,
): void {
  for (const seed of seeds) {
    const subject = subjectOf(make());
    const once = trace(subject, seed, steps);
    const elsewhere = difference(once, trace(subjectOf(make()), seed, steps));
    if (elsewhere && elsewhere.step >= 0)
      return findings.add({
        rule: "nondeterminism",
        severity: "error",
        expected: `two copies with seed ${seed} and equal actions to behave identically`,
        got: `they began alike, but ${elsewhere.words}`,
        advice:
          "Draw all random numbers from a generator that reset({ seed }) seeds; no Math.random, no clock.",
      });
    if (elsewhere)
      return findings.add({
        rule: "seeding",
        severity: "error",
        expected: `two copies to begin alike with seed ${seed}`,
        got: elsewhere.words,
        advice:
          'Create a new generator in reset() when there is a seed: this.random = defaultRng(seed), with import { defaultRng } from "reins/core/random".',
      });
    const again = difference(once, trace(subject, seed, steps));
    if (again)
      return findings.add({
        rule: "seeding",
        severity: "error",
        expected: `reset({ seed: ${seed} }) to repeat the episode after others were played`,
        got: again.words,
        advice: "Create a new generator in reset() when there is a seed, and reset every counter.",
      });
  }
}

/** If initial states are random, they should differ between seeds. */
export function checkVariety(make: () => Env | VectorEnv, findings: Findings): void {
  const subject = subjectOf(make());
  const seeded = Array.from({ length: 8 }, (_, seed) => subject.reset(1000 * seed)[0]);
  const free = Array.from({ length: 8 }, () => subject.reset()[0]);
  const allSame = (values: readonly unknown[]) => values.every((v) => sameValue(v, values[0]));
  if (!allSame(seeded) || allSame(free)) return;
  findings.add({
    rule: "seed-unused",
    severity: "warning",
    expected: "different seeds to give different initial observations, as resets without a seed do",
    got: `8 seeds all began with ${showValue(seeded[0])}`,
    advice: "Use the seed: defaultRng(seed), not a constant.",
  });
}

/**
 * Row 0 of a VectorEnv uses the seed itself and row i a child of it, so that adding rows does not change the
 * others and runs with neighbouring seeds share no row; a list has the seed of each row.
 */
export function checkRowSeeds(make: () => VectorEnv, seed: number, findings: Findings): void {
  const subject = subjectOf(make());
  const { rows, spec } = subject;
  if (rows < 2 || spec.agents) return;
  const seeds = rowSeeds(seed, rows, spec.id);
  const second = subject.reset(seed)[1];
  const first = subject.reset(seeds[1])[0];
  if (!sameValue(first, second))
    return report(
      findings,
      `row 1 with seed ${seed} to begin as row 0 with stream(${seed}, "row", 1): row 0 uses the seed, row i a child of it`,
      `${showValue(second)} and ${showValue(first)}`,
    );
  // In reverse order, to detect that only the first entry of a list is read.
  const alone = subject.reset(seed)[0];
  const expected = `a list of seeds to seed each row: the last with seed ${seed} to begin as row 0 alone`;
  try {
    const listed = subject.reset([...seeds].reverse())[rows - 1];
    if (!sameValue(listed, alone)) report(findings, expected, `${showValue(listed)} and ${showValue(alone)}`);
  } catch (error) {
    report(findings, expected, `reset() threw ${error}`);
  }
}

function report(findings: Findings, expected: string, got: string): void {
  findings.add({
    rule: "row-seeds",
    severity: "error",
    expected,
    got,
    advice: "Give each row its own generator: defaultRng(rowSeeds(seed, rows, spec.id)[row]).",
  });
}
