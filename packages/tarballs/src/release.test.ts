import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { release } from "./release.ts";
import { smallWorkspace } from "./testing-workspace.ts";
import { manifestFiles } from "./versions.ts";
import { root } from "./workspace.ts";

let { at, git } = { at: "", git: (..._: string[]) => "" };
let lines: string[] = [];
const read = (file: string) => readFileSync(join(at, file), "utf8");
const make = (version: string, dryRun = false) =>
  release({ at, version, date: "2026-12-01", dryRun, print: (line) => lines.push(line) });

beforeEach(() => {
  ({ at, git } = smallWorkspace());
  lines = [];
});
afterEach(() => rmSync(at, { recursive: true, force: true }));

describe("a release", () => {
  it("sets versions, packs, writes notes, commits and tags", async () => {
    await make("0.2.0");
    for (const file of ["packages/one", "packages/two", "packages/own"])
      expect(JSON.parse(read(`${file}/package.json`)).version).toBe("0.2.0");
    const dependencies = { "@reins/one": "0.2.0", other: "^1.0.0" };
    expect(JSON.parse(read("packages/two/package.json")).dependencies).toEqual(dependencies);
    expect(JSON.parse(read("package-lock.json")).packages["packages/two"]).toEqual({
      version: "0.2.0",
      dependencies: { "@reins/one": "0.2.0" },
    });
    expect(read("CHANGELOG.md")).toContain(
      "## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n- Count to two.\n\n## [0.1.0]",
    );
    expect(readdirSync(join(at, "release/0.2.0")).sort()).toEqual([
      "notes.md",
      "reins-one-0.2.0.tgz",
      "reins-two-0.2.0.tgz",
    ]);
    expect(git("status", "--porcelain")).toBe("");
    expect(git("log", "-1", "--format=%s")).toBe("release: set version 0.2.0");
    expect(git("tag", "-l", "--format=%(contents)", "v0.2.0")).toBe("- Count to two.");
    expect(git("rev-parse", "v0.2.0^{commit}")).toBe(git("rev-parse", "HEAD"));
  });

  it("makes links of the notes absolute if there is an address", async () => {
    const entries = "- Count to [two](docs/two.md).";
    writeFileSync(join(at, "CHANGELOG.md"), `# Changelog\n\n## [Unreleased]\n\n${entries}\n`);
    git("commit", "--quiet", "--all", "--message", "one: link the guide");
    const address = "https://example.com/owner/reins";
    await release({ at, version: "0.2.0", date: "2026-12-01", address, print: (line) => lines.push(line) });
    const notes = `- Count to [two](${address}/blob/v0.2.0/docs/two.md).`;
    expect(read("release/0.2.0/notes.md")).toBe(`${notes}\n`);
    expect(git("tag", "-l", "--format=%(contents)", "v0.2.0")).toBe(notes);
    expect(read("CHANGELOG.md")).toContain(entries);
  });

  it("changes nothing in a dry run, and prints the steps", async () => {
    await make("0.2.0", true);
    expect(git("status", "--porcelain")).toBe("");
    expect([git("tag"), existsSync(join(at, "release"))]).toEqual(["", false]);
    const text = lines.join("\n");
    for (const part of ["set version 0.2.0", "@reins/one, @reins/two", "- Count to two.", "tag v0.2.0"])
      expect(text).toContain(part);
  });

  it("restores all files if a tarball has findings", async () => {
    rmSync(join(at, "packages/two/LICENSE"));
    git("commit", "--quiet", "--all", "--message", "two: drop the licence");
    const head = git("rev-parse", "HEAD");
    await expect(make("0.2.0")).rejects.toThrow(/The tarballs have \d+ findings/);
    expect(lines.join("\n")).toContain("LICENSE is missing");
    expect([git("status", "--porcelain"), git("tag"), git("rev-parse", "HEAD")]).toEqual(["", "", head]);
    expect(existsSync(join(at, "release/0.2.0"))).toBe(false);
  });

  it.each([
    ["a malformed version", "0.2", () => {}, "is not a version"],
    ["an old version", "0.1.0", () => {}, "is not newer than 0.1.0"],
    ["a changed tree", "0.2.0", () => writeFileSync(join(at, "new.txt"), ""), "?? new.txt"],
    ["an existing tag", "0.2.0", () => void git("tag", "v0.2.0"), "Tag v0.2.0 already exists"],
    [
      "no entries in the changelog",
      "0.2.0",
      () => {
        writeFileSync(join(at, "CHANGELOG.md"), "# Changelog\n\n## [Unreleased]\n");
        git("commit", "--quiet", "--all", "--message", "one: drop the changelog");
      },
      "no entries under [Unreleased]",
    ],
  ])("refuses %s", async (_, version, arrange, reason) => {
    arrange();
    await expect(make(version)).rejects.toThrow(reason);
    expect(git("log", "-1", "--format=%s")).not.toContain("release");
  });
});

it("all manifests of this workspace are written as they are formatted", () => {
  for (const file of manifestFiles(root)) {
    const text = readFileSync(join(root, file), "utf8");
    expect(`${JSON.stringify(JSON.parse(text), null, 2)}\n`, file).toBe(text);
  }
});
