/** What can be wrong with an environment. */
export type CheckRule =
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
  | "time-limit";

/** Something wrong with an environment. */
export interface EnvFinding {
  readonly rule: CheckRule;
  /** An error makes results wrong; a warning may be meant. */
  readonly severity: "error" | "warning";
  /** What the contract says. */
  readonly expected: string;
  /** What happened instead. */
  readonly got: string;
  /** What to do. */
  readonly advice: string;
}

/** A finding in lines of text. */
export function showFinding({ rule, severity, expected, got, advice }: EnvFinding): string {
  return `${severity}: ${rule}\n  expected  ${expected}\n  got       ${got}\n  do        ${advice}`;
}

/** Findings, one for each rule: the first says enough. */
export class Findings {
  readonly list: EnvFinding[] = [];

  add(finding: EnvFinding): void {
    if (!this.has(finding.rule)) this.list.push(finding);
  }

  has(...rules: readonly CheckRule[]): boolean {
    return this.list.some((f) => rules.includes(f.rule));
  }
}
