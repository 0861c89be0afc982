import type { EnvSpec } from "@reins/core";
import { closestNames, describeValue } from "@reins/core/errors";
import { spaceFault } from "@reins/core/spaces";
import type { Findings } from "./finding.ts";

const fields: readonly (keyof EnvSpec)[] = [
  "id",
  "observation",
  "action",
  "labels",
  "rewards",
  "maxSteps",
  "solvedAt",
  "returnBounds",
  "goals",
  "agents",
];

/** Finds a missing or invalid spec, and misspelled fields, which would have no effect. */
export function checkSpec(spec: unknown, findings: Findings): void {
  const given = (typeof spec === "object" && spec !== null ? spec : {}) as {
    readonly [name: string]: unknown;
  };
  const missing = fields.slice(0, 3);
  const misspelled = Object.keys(given).filter((name) => !fields.some((field) => field === name));
  for (const name of misspelled) {
    const [meant] = closestNames(name, fields);
    if (meant)
      findings.add({
        rule: "spec",
        severity: missing.some((field) => field === meant && given[field] === undefined)
          ? "error"
          : "warning",
        expected: `the fields of EnvSpec: ${fields.join(", ")}`,
        got: `spec.${name}, which is ignored`,
        advice: `Rename it: spec.${meant}.`,
      });
  }
  if (typeof given.id !== "string")
    findings.add({
      rule: "spec",
      severity: "error",
      expected: "a spec with an id",
      got: `spec.id is ${describeValue(given.id)}`,
      advice: 'Write spec = { id: "MyEnv-v0", observation: box([4]), action: discrete(2) }.',
    });
  for (const part of ["observation", "action"] as const) {
    const fault = spaceFault(given[part]);
    if (fault)
      findings.add({
        rule: "spec",
        severity: "error",
        expected: `a space as spec.${part}`,
        got: `spec.${part} ${fault}`,
        advice:
          "Build spaces with box(shape, low, high), discrete(n), dict({ … }) and the other functions of reins.",
      });
  }
}
