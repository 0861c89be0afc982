import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { reins } from "../cli/testing.ts";

const page = readFileSync(new URL("../../../../docs/environments.md", import.meta.url), "utf8");

it("the success rate of the page is that of its command", { tags: ["slow"] }, async () => {
  const [, command, rate] = /^\| `reins (train dqn BitFlip-v0 [^`]+)` \| [^|]+ \| [^|]+ \| ([\d.]+) \|/m.exec(
    page,
  )!;
  const { code, out } = await reins(...command.split(" "), "--no-save", "--json");
  expect(code).toBe(0);
  const result = JSON.parse(out.trim().split("\n").at(-1)!);
  expect(result.success.toFixed(2)).toBe(rate);
});
