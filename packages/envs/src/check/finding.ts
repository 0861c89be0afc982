/** Rules of the checker. */
export type CheckRule =
  | "spec"
  | "threw"
  | "observation-shape"
  | "observation-bounds"
  | "columns"
  | "reward"
  | "reward-scale"
  | "flags"
  | "goals"
  | "mask"
  | "labels"
  | "nondeterminism"
  | "seeding"
  | "seed-unused"
  | "row-seeds"
  | "reused-buffer"
  | "after-end"
  | "restore"
  | "ended"
  | "time-limit"
  | "endless";

/** A defect of an environment. */
export interface EnvFinding {
  readonly rule: CheckRule;
  /** An error makes results wrong; a warning may be intended. */
  readonly severity: "error" | "warning";
  /** Expected behaviour. */
  readonly expected: string;
  /** Actual behaviour. */
  readonly got: string;
  /** How to fix it. */
  readonly advice: string;
}

/** A finding as lines of text. */
export function showFinding({ rule, severity, expected, got, advice }: EnvFinding): string {
  return `${severity}: ${rule}\n  expected  ${expected}\n  got       ${got}\n  do        ${advice}`;
}

/** Findings, one per rule: the first is enough. */
export class Findings {
  readonly list: EnvFinding[] = [];

  add(finding: EnvFinding): void {
    if (!this.has(finding.rule)) this.list.push(finding);
  }

  has(...rules: readonly CheckRule[]): boolean {
    return this.list.some((f) => rules.includes(f.rule));
  }
}
