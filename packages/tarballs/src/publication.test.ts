import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { absoluteLinks, repository } from "./publication.ts";
import { pack } from "./tarball.ts";
import { smallWorkspace } from "./testing-workspace.ts";
import { published } from "./workspace.ts";

const address = "https://example.com/owner/reins";

it("makes relative links and images absolute, and leaves the others", () => {
  const text = '[a](../../docs/a.md#b) ![c](c.png) [d](https://d.org) [e](#f) <img src="g.gif" />';
  expect(absoluteLinks(text, "packages/one", address, "1.2.3")).toBe(
    `[a](${address}/blob/v1.2.3/docs/a.md#b) ![c](${address}/raw/v1.2.3/packages/one/c.png) ` +
      `[d](https://d.org) [e](#f) <img src="${address}/raw/v1.2.3/packages/one/g.gif" />`,
  );
});

it("packs repository fields and absolute links if there is an address", async () => {
  const { at } = smallWorkspace();
  const folder = mkdtempSync(join(tmpdir(), "reins-packed-"));
  try {
    const [one] = await pack(published(at), folder, { at, address });
    expect(one.manifest).toMatchObject({
      repository: { type: "git", url: `git+${address}.git`, directory: "packages/one" },
      homepage: `${address}#readme`,
      bugs: `${address}/issues`,
    });
    expect(one.files.get("README.md")).toContain(`(${address}/blob/v0.1.0/docs/guide.md)`);
    const [plain] = await pack(published(at), folder, { at, address: "" });
    expect(plain.manifest).not.toHaveProperty("repository");
    expect(plain.files.get("README.md")).toContain("(../../docs/guide.md)");
  } finally {
    rmSync(at, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
});

it("has an address without a trailing slash, or none before publication", () => {
  expect(repository).toMatch(/^(https:\/\/[^\s]*[^/\s])?$/);
});
