import { readFileSync } from "node:fs";
import { algorithms } from "@reins/algorithms";
import { expect, it } from "vitest";

const page = readFileSync(new URL("../../../docs/from-sb3.md", import.meta.url), "utf8");

it("every option on the page exists", () => {
  const rows = [...page.matchAll(/^\| (PPO|DQN|SAC|TQC|TD3) .*? \| (.*) \|$/gm)];
  expect(rows.length).toBeGreaterThan(10);
  for (const [, name, cell] of rows) {
    const { options } = algorithms[name.toLowerCase()].definition;
    const named = [...cell.matchAll(/`(\w+)[^`]*`/g)].map((m) => m[1]);
    expect(named.length, cell).toBeGreaterThan(0);
    for (const option of named) expect(Object.keys(options), `${name}: ${cell}`).toContain(option);
  }
});
