import { expect, it } from "vitest";
import { list } from "./list.ts";
import { reins } from "./testing.ts";

it("shows all commands", async () => {
  for (const args of [["--help"], ["help"]]) {
    const { code, out } = await reins(...args);
    expect(code).toBe(0);
    for (const name of Object.keys(list)) expect(out).toContain(name);
  }
  expect((await reins()).code).toBe(2);
});

it.each(Object.keys(list))("%s --help has examples", async (name) => {
  const { code, out } = await reins(name, "--help");
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^reins ${name}`));
  expect(out).toContain("Examples");
  for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  const flags = [...out.matchAll(/^ {2}--[\w-]+/gm)].map(([flag]) => flag);
  expect(flags.filter((flag, i) => flags.indexOf(flag) !== i)).toEqual([]);
  expect((await reins("help", name)).out).toBe(out);
});

it("lists every setting of the given algorithm", async () => {
  const { out } = await reins("train", "ppo", "--help");
  for (const flag of ["--learning-rate", "--clip", "--hidden", "--ppo-steps"]) expect(out).toContain(flag);
});

it("lists the options of language tasks where they apply", async () => {
  for (const args of [["grpo"], ["grpo", "arithmetic"], ["sft"]])
    expect((await reins("train", ...args, "--help")).out).toContain("--env-folder PATH");
  for (const args of [[], ["ppo"], ["grpo", "CartPole-v1"], ["dqn"]])
    expect((await reins("train", ...args, "--help")).out).not.toContain("--env-folder PATH");
});

it("lists flags of a command in two words, and switches that are on as --no-…", async () => {
  const { out } = await reins("data", "--help");
  for (const flag of ["--model FOLDER", "--all", "--test N", "--json"]) expect(out).toContain(`  ${flag} `);
  expect((await reins("train", "--help")).out).toContain("  --no-save ");
});

it("shows its version", async () => {
  expect((await reins("--version")).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});
