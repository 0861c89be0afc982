import type { Env, VectorEnv } from "@reins/core";
import { stream } from "@reins/core/random";
import type { Findings } from "./finding.ts";
import { subjectOf } from "./subject.ts";
import { differenceOfSteps, play } from "./trace.ts";

/** A saved state must continue identically, in the same copy and in another one. */
export function checkRestore(
  make: () => Env | VectorEnv,
  seed: number,
  steps: number,
  findings: Findings,
): void {
  const subject = subjectOf(make());
  if (!subject.save || !subject.restore) return;
  subject.reset(seed);
  const actions = stream(seed, "actions after");
  // Right after a reset, within an episode, and later.
  for (const ahead of [0, 3, Math.floor(steps / 2)]) {
    play(subject, ahead, stream(seed, "actions before"));
    const saved = subject.save();
    const went = play(subject, steps, actions);
    subject.restore(saved);
    const again = differenceOfSteps(went, play(subject, steps, actions));
    if (again) return report(findings, "the steps after restore() to equal those after save()", again.words);
    const other = subjectOf(make());
    other.reset(stream(seed, "elsewhere"));
    other.restore!(saved);
    const there = differenceOfSteps(went, play(other, steps, actions));
    if (there) return report(findings, "another copy to continue from the saved state", there.words);
  }
}

function report(findings: Findings, expected: string, got: string): void {
  findings.add({
    rule: "restore",
    severity: "error",
    expected,
    got,
    advice: "Save a copy of everything that step() and reset() read: state, counters, the generator's state.",
  });
}
