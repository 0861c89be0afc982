import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { unreleased, withRelease } from "./changelog.ts";
import { root } from "./workspace.ts";

const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");

it("has one to six entries of at most three lines for each release", () => {
  const [, ...releases] = changelog.split(/^## /m);
  expect(releases.length).toBeGreaterThan(1);
  for (const text of releases.slice(unreleased(changelog) ? 0 : 1)) {
    const title = text.split("\n")[0];
    const entries = text.split(/^- /m).slice(1);
    expect(entries.length, title).toBeGreaterThan(0);
    expect(entries.length, `${title}: merge entries, and say what a user can now do`).toBeLessThanOrEqual(6);
    for (const entry of entries) expect(entry.trim().split("\n").length, entry).toBeLessThanOrEqual(3);
  }
});

it("takes the notes of a release from the entries that are not released", () => {
  const text = "# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [0.1.0] - 2026-01-01\n\n- Old.\n";
  expect(unreleased(text)).toBe("- New.");
  const after = withRelease(text, "0.2.0", "2026-02-02");
  expect(unreleased(after)).toBe("");
  expect(after).toContain("## [0.2.0] - 2026-02-02\n\n- New.\n\n## [0.1.0]");
  expect(() => unreleased("# Changelog\n")).toThrow('no heading "## [Unreleased]"');
});
