import { expect, it } from "vitest";
import { consequences } from "./consequences.ts";
import { diagnostics } from "./diagnose.ts";

it("consequences are diagnostics, and none causes its own cause", () => {
  const names = diagnostics.map((d) => d.name);
  for (const [cause, all] of Object.entries(consequences))
    for (const name of [cause, ...all]) expect(names).toContain(name);
  const reached = (from: string): string[] =>
    (consequences[from] ?? []).flatMap((name) => [name, ...reached(name)]);
  for (const cause of names) expect(reached(cause)).not.toContain(cause);
});
