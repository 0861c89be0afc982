import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";
import { families } from "./algorithm-families.ts";
import type { Content } from "./content.ts";
import { contentFolder } from "./repository.ts";

type Item = DefaultTheme.SidebarItem;

/** Guides by subject. A page that does not exist is left out; guides that are not listed follow under Reference. */
const guides: Readonly<Record<string, readonly string[]>> = {
  Start: [
    "index",
    "tutorial",
    "choosing",
    "agents",
    "running",
    "export",
    "examples",
    "from-sb3",
    "what-sb3-lacks",
    "from-trl",
  ],
  Environments: ["environments", "several-agents", "offline"],
  Algorithms: ["algorithms/index", "core", "signals"],
  "Networks and tensors": ["networks", "nn", "tensor"],
  "Language models": ["language", "tasks", "post-training", "algorithms/words"],
  "Multi-turn and agents": ["conversations", "worlds"],
  Studio: ["studio", "browser", "diagnostics"],
  Recipes: ["recipes", "recipe-book/index"],
  Benchmarks: ["benchmarks", "scores", "measuring"],
  Reference: ["metrics", "architecture", "contributing", "changelog"],
};

/** The sidebars: subjects with their guides, algorithms and recipes by family; and the API by package. */
export function sidebarOf({ origins, api }: Content): DefaultTheme.SidebarMulti {
  const left = new Set([...origins.keys()].map((page) => page.replace(/\.md$/, "")));
  const item = (page: string): Item[] => {
    if (!left.delete(page)) return [];
    return [{ text: titleOf(page), link: `/${page.replace(/(^|\/)index$/, "$1")}` }];
  };
  const under = (folder: string) => [...left].filter((page) => page.startsWith(folder)).sort();
  const items = new Map(Object.entries(guides).map(([title, pages]) => [title, pages.flatMap(item)]));
  const add = (title: string, ...more: Item[]) => items.get(title)!.push(...more);
  const folded = (text: string, pages: readonly string[]): Item => ({
    text,
    collapsed: true,
    items: pages.flatMap(item),
  });
  for (const { title, names } of families)
    add(
      "Algorithms",
      folded(
        title,
        names.map((name) => `algorithms/${name}`),
      ),
    );
  add("Language models", folded("Measured on tasks", under("algorithms/words-")));
  if (under("algorithms/").length) add("Algorithms", folded("Others", under("algorithms/")));
  add("Studio", folded("Findings of diagnostics", under("diagnostics/")));
  add("Recipes", folded("Families", under("recipe-book/")));
  const references = api.map(({ name, pages }): Item => {
    const own = pages.map(({ page, title }) => {
      left.delete(page.replace(/\.md$/, ""));
      return { text: title, link: `/${page.replace(/index\.md$/, "").replace(/\.md$/, "")}` };
    });
    return own.length > 1 ? { text: name, collapsed: true, items: own } : { ...own[0], text: name };
  });
  add(
    "Reference",
    ...[...left]
      .filter((page) => !page.includes("/") && page !== "playground")
      .sort()
      .flatMap(item),
  );
  add("Reference", { text: "API", link: "/api/" });
  return {
    "/api/": [{ text: "API", items: [{ text: "Packages", link: "/api/" }, ...references] }],
    "/": [...items].map(([text, own]) => ({ text, items: own, collapsed: text !== "Start" })),
  };
}

/** A page's first heading, as plain text. */
function titleOf(page: string): string {
  if (page === "index") return "Introduction";
  const heading = /^# (.+)$/m.exec(readFileSync(join(contentFolder, `${page}.md`), "utf8"))?.[1] ?? page;
  return heading.replace(/`/g, "").replace(/: a guide$/, "");
}
