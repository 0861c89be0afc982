import { expect, it } from "vitest";
import { fuzz } from "./fuzz.ts";
import { availableBackends } from "./internals.ts";
import { readOptions } from "./options.ts";

async function agree(seed: string): Promise<void> {
  const asked = process.env.REINS_TEST_BACKENDS?.split(",");
  const backends = availableBackends().filter((b) => !asked || b === "reference" || asked.includes(b));
  const options = readOptions([
    ...["--seed", seed, "--programs", "30"],
    ...["--shrink", "30", "--backends", backends.join()],
  ]);
  const summary = await fuzz(options, () => {});
  expect(summary.findings.map((f) => f.test).join("\n")).toBe("");
  expect(summary.programs).toBeGreaterThanOrEqual(30);
}

it("30 random programs agree on every back end", () => agree("20261101"));
it("30 other random programs agree on every back end", { tags: ["slow"] }, () => agree("20261102"));
