import { readFileSync } from "node:fs";
import { algorithms } from "@reins/algorithms";
import { expect, it } from "vitest";
import { camel } from "./cli/flags.ts";
import { textFlags } from "./cli/text-flags.ts";

const page = readFileSync(new URL("../../../docs/from-trl.md", import.meta.url), "utf8");

/** Option names in a cell, without remarks in parentheses. */
const names = (cell: string) => [...cell.replace(/\(.*?\)/g, "").matchAll(/`(\w+)[^`]*`/g)].map((m) => m[1]);

/** Names in the last cells of a page's rows, by their first cell. */
const rows = (kind: string) =>
  [...page.matchAll(new RegExp(`^\\| ${kind} \\| .*? \\| (.*) \\|$`, "gm"))].map(([, cell]) => ({
    cell,
    named: names(cell),
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
  const from = page.indexOf("## Options of models and sampling");
  const table = page.slice(from, page.indexOf("\n## ", from));
  const named = [...table.matchAll(/^\| .* \| (`.*) \|$/gm)].flatMap(([, cell]) => names(cell));
  expect(named.length).toBeGreaterThan(10);
  for (const option of named) expect(known).toContain(option);
});

it("every trainer is an algorithm", () => {
  const table = page.slice(page.indexOf("## Trainers"), page.indexOf("## Data"));
  const named = [...table.matchAll(/`((?:dr-)?[a-z]{3,5})`/g)].map((m) => m[1]);
  expect(named).toEqual(
    "sft grpo dr-grpo dapo gspo cispo rloo ppo dpo xpo kto cpo simpo orpo bco".split(" "),
  );
  for (const name of named) expect(Object.keys(algorithms)).toContain(name);
});
