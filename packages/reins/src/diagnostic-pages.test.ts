import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { diagnostics, pageOf } from "@reins/core/diagnostics";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (page: string) => readFileSync(root + page, "utf8");

/** The limits in the table of a page. */
const limitsIn = (text: string) =>
  Object.fromEntries([...text.matchAll(/^\| `(\w+)` \| (\S+) \| .+ \|$/gm)].map((m) => [m[1], Number(m[2])]));

describe("pages of diagnostics", () => {
  it.each(diagnostics.map((d) => [d.name, d] as const))("%s", (name, diagnostic) => {
    const page = pageOf(diagnostic);
    expect(existsSync(root + page), `${page} is missing: write what it sees, why, and what to do`).toBe(true);
    const text = read(page);
    expect(text.startsWith(`# ${name}\n`)).toBe(true);
    expect(limitsIn(text)).toEqual(diagnostic.limits);
    expect(text).toContain(`Its confidence is ${diagnostic.confidence};`);
    expect([...text.matchAll(/^## (.*)$/gm)].map((m) => m[1])).toEqual([
      "The rule",
      "What usually causes it",
      "What to do",
      "A program that reproduces it",
    ]);
    // The programs of the pages are run, and must print their comments.
    const explained = page.replace(/^.*\/(.*)\.md$/, "--explain $1");
    expect([`; // ${name}\n`, `; // ${explained}\n`].some((promise) => text.includes(promise))).toBe(true);
  });
  it("each belong to a diagnostic, and the index lists each once", () => {
    const pages = diagnostics.map(pageOf);
    expect(
      readdirSync(`${root}docs/diagnostics`)
        .map((file) => `docs/diagnostics/${file}`)
        .sort(),
    ).toEqual([...pages].sort());
    const listed = [
      ...read("docs/diagnostics.md").matchAll(/^\| \[(.*)\]\((diagnostics\/.*)\) \| .* \| (\S+) \|$/gm),
    ].map(([, name, page, sure]) => ({ name, page: `docs/${page}`, sure }));
    expect(listed).toEqual(
      diagnostics.map((d) => ({ name: d.name, page: pageOf(d), sure: `${d.confidence}` })),
    );
  });
});
