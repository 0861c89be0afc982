import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";
import { families } from "./algorithm-families.ts";
import type { Content } from "./content.ts";
import { contentFolder } from "./repository.ts";

type Item = DefaultTheme.SidebarItem;

/** Guides by subject. A page that does not exist is left out; guides that are not listed follow under Reference. */
export const guides: Readonly<Record<string, readonly string[]>> = {
  Start: [
    "index",
    "tutorial",
    "choosing",
    "agents",
    "running",
    "gpu",
    "export",
    "examples",
    "from-sb3",
    "what-sb3-lacks",
    "from-trl",
  ],
  Environments: ["environments", "several-agents", "offline"],
  Algorithms: ["algorithms/index", "core", "signals"],
  "Networks and tensors": ["networks", "nn", "tensor"],
  "Language models": [
    "language",
    "data",
    "tasks",
    "post-training",
    "preferences",
    "reward-models",
    "algorithms/words",
    "algorithms/preference-scores",
  ],
  "Multi-turn and agents": ["conversations", "multi-turn-environments", "serving"],
  Studio: ["studio", "browser", "diagnostics"],
  Recipes: ["recipes", "recipe-book/index"],
  Benchmarks: ["benchmarks", "scores", "measuring"],
  Reference: ["metrics", "architecture", "contributing", "changelog"],
};

/**
 * The sidebars: guides by subject, and one sidebar for each long list (algorithms, recipes, diagnostics, API).
 * Every item is a component of the page, so one sidebar with all of them would make each page slow to start.
 */
export function sidebarOf({ origins, api }: Content): DefaultTheme.SidebarMulti {
  const left = new Set([...origins.keys()].map((page) => page.replace(/\.md$/, "")));
  const item = (page: string): Item[] => {
    if (!left.delete(page)) return [];
    return [{ text: titleOf(page), link: `/${page.replace(/(^|\/)index$/, "$1")}` }];
  };
  const under = (folder: string) => [...left].filter((page) => page.startsWith(folder)).sort();
  const items = new Map(Object.entries(guides).map(([title, pages]) => [title, pages.flatMap(item)]));
  const add = (title: string, ...more: Item[]) => items.get(title)!.push(...more);
  const group = (text: string, pages: readonly string[]): Item[] => {
    const own = pages.flatMap(item);
    return own.length ? [{ text, items: own }] : [];
  };
  const algorithms = [
    { text: "Algorithms", items: [{ text: "Overview", link: "/algorithms/" }, ...links("choosing", "core")] },
    ...families.flatMap(({ title, names }) =>
      group(
        title,
        names.map((name) => `algorithms/${name}`),
      ),
    ),
    ...group("Measured on language tasks", under("algorithms/words-")),
    ...group("Others", under("algorithms/")),
  ];
  const recipes = [
    { text: "Recipes", items: [{ text: "Overview", link: "/recipe-book/" }, ...links("recipes")] },
    ...group("Families", under("recipe-book/")),
  ];
  const diagnostics = [
    { text: "Diagnostics", items: links("diagnostics", "metrics") },
    ...group("Findings", under("diagnostics/")),
  ];
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
    "/algorithms/": algorithms,
    "/recipe-book/": recipes,
    "/diagnostics/": diagnostics,
    "/": [...items].map(([text, own]) => ({ text, items: own, collapsed: text !== "Start" })),
  };
}

/** Links to guides, which are in the main sidebar too. */
const links = (...pages: string[]): Item[] =>
  pages.map((page) => ({ text: titleOf(page), link: `/${page}` }));

/** A page's first heading, as plain text. */
function titleOf(page: string): string {
  if (page === "index") return "Introduction";
  const heading = /^# (.+)$/m.exec(readFileSync(join(contentFolder, `${page}.md`), "utf8"))?.[1] ?? page;
  return heading.replace(/`/g, "").replace(/: a guide$/, "");
}
