import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { apiPages } from "./api-pages.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

it("there is a page for each entry point, and an index of them", () => {
  const pages = apiPages(root);
  const index = pages.get("README.md")!;
  const listed = [...index.matchAll(/\]\((.+?\.md)\)/g)].map((match) => match[1]);
  expect(listed).toContain("reins-core.md");
  expect([...listed, "README.md"].sort()).toEqual([...pages.keys()].sort());
});

it("declarations are shown without private members", () => {
  const pages = apiPages(root);
  expect(pages.get("reins-core-policies.md")).toContain("function actorCritic(");
  const core = pages.get("reins-core.md")!;
  expect(core).toMatch(/^class Run /m);
  expect(core).not.toMatch(/^ +private /m);
});
