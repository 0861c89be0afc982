import { type Env, rowSeeds, type VectorEnv } from "@reins/core";
import type { Findings } from "./finding.ts";
import { subjectOf } from "./subject.ts";
import { difference, trace } from "./trace.ts";
import { sameValue, showValue } from "./values.ts";

/** The same seed must give the same episodes, in another copy and in the same one; other seeds should not. */
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
        expected: `two copies with seed ${seed} and the same actions to go the same way`,
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
        advice: "Make the generator anew in reset() when there is a seed: this.random = defaultRng(seed).",
      });
    const again = difference(once, trace(subject, seed, steps));
    if (again)
      return findings.add({
        rule: "seeding",
        severity: "error",
        expected: `reset({ seed: ${seed} }) to give the same episode again after others were played`,
        got: again.words,
        advice: "Make the generator anew in reset() when there is a seed, and set every counter back.",
      });
  }
}

/** Where beginnings differ without a seed, they should differ between seeds. */
export function checkVariety(make: () => Env | VectorEnv, findings: Findings): void {
  const subject = subjectOf(make());
  const seeded = Array.from({ length: 8 }, (_, seed) => subject.reset(1000 * seed)[0]);
  const free = Array.from({ length: 8 }, () => subject.reset()[0]);
  const allSame = (values: readonly unknown[]) => values.every((v) => sameValue(v, values[0]));
  if (!allSame(seeded) || allSame(free)) return;
  findings.add({
    rule: "seed-unused",
    severity: "warning",
    expected: "other seeds to give other beginnings, as resets without a seed do",
    got: `8 seeds all began with ${showValue(seeded[0])}`,
    advice: "Pass the seed on: defaultRng(seed), not a constant.",
  });
}

/**
 * Row 0 of a VectorEnv has the seed itself and row i a child of it, so that adding rows does not change the others and runs with
 * neighbouring seeds have no row in common; a list has the seed of each row.
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
      `row 1 with seed ${seed} to begin as row 0 with stream(${seed}, "row", 1): row 0 gets the seed, row i that child of it`,
      `${showValue(second)} and ${showValue(first)}`,
    );
  // The other way round, so that a list of which only the first is read is noticed.
  const alone = subject.reset(seed)[0];
  const expected = `a list of seeds to give each row its own: the last with seed ${seed} to begin as row 0 alone`;
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
    advice: "Give each row a generator of its own: defaultRng(rowSeeds(seed, rows, spec.id)[row]).",
  });
}
