import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder, reins } from "../cli/testing.ts";

it("says why a run over a file ended before its budget", async () => {
  const cwd = folder();
  const file = join(cwd, "sums.jsonl");
  const sums = Array.from({ length: 12 }, (_, i) => ({ prompt: `${i}?`, completion: "yes" }));
  writeFileSync(file, sums.map((line) => JSON.stringify(line)).join("\n"));
  const train = (steps: string, name: string) =>
    reins(
      ...["train", "sft", file, "--env-epochs=2", "--steps", steps, "--directory", join(cwd, name)],
      ...["--env-layers=1", "--env-width=16", "--env-heads=2", "--batch=4", "--eval-episodes=0"],
    );
  expect((await train("50k", "short")).out).toContain(
    "It ended after 2 epochs over the file (--env-epochs).",
  );
  expect((await train("20", "long")).out).not.toContain("It ended after");
});
