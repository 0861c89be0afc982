import { readFileSync } from "node:fs";
import { algorithms } from "@reins/algorithms";
import { expect, it } from "vitest";
import { entries, exportsOf } from "./testing-exports.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

it("docs/core.md lists the exports with the tag @experimental, and no others", () => {
  const tagged = entries
    .filter(({ specifier }) => /^@reins\/(core|algorithms|language)($|\/)/.test(specifier))
    .flatMap(({ specifier, source }) =>
      exportsOf(source)
        .filter(({ comment }) => comment?.includes("@experimental"))
        .map(({ name }) => `${specifier.slice(1)} ${name}`),
    );
  const section = /### Stable and experimental\n([\s\S]*?)\n(?:#|Subpaths)/.exec(read("docs/core.md"))![1];
  const listed = [...section.matchAll(/^\| `(reins\/[\w/]+)` \| (.+) \|$/gm)].flatMap(([, from, names]) =>
    [...names.split(": ")[0].matchAll(/`(\w+)`/g)].map(([, name]) => `${from} ${name}`),
  );
  expect(listed.length).toBeGreaterThan(10);
  expect(listed.sort()).toEqual(tagged.sort());
});

it("algorithms without a recorded score are experimental, and pages of experimental ones say so", () => {
  const bandits = ["ucb", "thompson", "epsilon-greedy", "gradient-bandit", "linucb"];
  for (const [name, { definition }] of Object.entries(algorithms)) {
    const page = read(`docs/algorithms/${name}.md`);
    const isExperimental = definition.stability === "experimental";
    if (page.includes("None measured yet.") && !bandits.includes(name))
      expect(isExperimental, name).toBe(true);
    expect(page.includes("[Experimental]"), name).toBe(isExperimental);
  }
});
