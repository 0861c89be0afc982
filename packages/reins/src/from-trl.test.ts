import { readFileSync } from "node:fs";
import { algorithms } from "@reins/algorithms";
import { expect, it } from "vitest";
import { camel } from "./cli/flags.ts";
import { textFlags } from "./cli/text-flags.ts";

const page = readFileSync(new URL("../../../docs/from-trl.md", import.meta.url), "utf8");

/** Names on the right of a page's rows, by the first word on the left. */
const rows = (kind: string) =>
  [...page.matchAll(new RegExp(`^\\| ${kind} .*? \\| (.*) \\|$`, "gm"))].map(([, cell]) => ({
    cell,
    named: [...cell.replace(/\(.*?\)/g, "").matchAll(/`(\w+)[^`]*`/g)].map((m) => m[1]),
  }));

it.each(["GRPO", "SFT"])("every option on the page for %s exists", (name) => {
  const { options } = algorithms[name.toLowerCase()].definition;
  expect(rows(name).length).toBeGreaterThan(2);
  for (const { cell, named } of rows(name)) {
    expect(named.length, cell).toBeGreaterThan(0);
    for (const option of named) expect(Object.keys(options), cell).toContain(option);
  }
});

it("every choice on the page exists", () => {
  const { options } = algorithms.grpo.definition;
  const chosen = [...page.matchAll(/`(scale|aggregation|ratio|overlong): "(\w+)"`/g)];
  expect(chosen).toHaveLength(8);
  for (const [, option, choice] of chosen) expect(options[option].choices, option).toContain(choice);
});

it("every option of models and sampling is an option of language tasks", () => {
  const known = Object.keys(textFlags).map((flag) => camel(flag.replace("env-", "")));
  expect(rows("model").length).toBeGreaterThan(6);
  for (const { named } of rows("model")) for (const option of named) expect(known).toContain(option);
});

it("every trainer is an algorithm", () => {
  const table = page.slice(page.indexOf("## Trainers"), page.indexOf("## Data"));
  const named = [...table.matchAll(/`((?:dr-)?[a-z]{3,5})`/g)].map((m) => m[1]);
  expect(named).toEqual(["sft", "grpo", "dr-grpo", "dapo", "gspo", "cispo", "rloo", "ppo"]);
  for (const name of named) expect(Object.keys(algorithms)).toContain(name);
});
