import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openStudio } from "@reins/studio";
import { expect, it, onTestFinished, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";
import { noteStudio, openStudioOn, pageTo } from "../studio/open-studios.ts";
import { reached } from "./studio.ts";

it("lists its addresses", () => {
  const networks = {
    lo: [{ family: "IPv4", address: "127.0.0.1", internal: true }],
    eth0: [
      { family: "IPv4", address: "192.168.0.7", internal: false },
      { family: "IPv6", address: "fe80::1", internal: false },
    ],
  } as unknown as Parameters<typeof reached>[1];
  expect(reached("http://0.0.0.0:4680/?token=x", networks)).toEqual([
    "http://127.0.0.1:4680/?token=x",
    "http://192.168.0.7:4680/?token=x",
  ]);
  expect(reached("http://127.0.0.1:4680/", networks)).toEqual(["http://127.0.0.1:4680/"]);
});

it("rejects a missing folder", async () => {
  const { code, err } = await reins("studio", "/no/such/folder");
  expect(code).not.toBe(0);
  expect(err).toContain("the folder /no/such/folder does not exist");
});

it("stores the token in a private file, by which a second command finds the open studio", async () => {
  const [state, root, other] = [folder(), folder(), folder()];
  vi.stubEnv("REINS_STATE", state);
  onTestFinished(() => void vi.unstubAllEnvs());
  const studio = await openStudio({ root, port: 0 });
  onTestFinished(() => studio.close());
  const forget = noteStudio(studio.address, root);
  const [file] = readdirSync(join(state, "studios")).map((name) => join(state, "studios", name));
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ address: studio.address, root });
  const page = pageTo(studio.address, root);
  expect(readFileSync(page, "utf8")).toContain(studio.address);
  if (process.platform !== "win32") {
    const modes = [file, page, join(state, "studios")].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o700]);
  }
  const { code, out } = await reins("studio", root);
  expect([code, out]).toEqual([0, expect.stringContaining(`already open on ${root}: ${studio.address}`)]);
  // A studio on another folder, or a closed one, is not found.
  expect(await openStudioOn(other)).toBeUndefined();
  await studio.close();
  expect(await openStudioOn(root)).toBeUndefined();
  forget();
  expect([existsSync(file), existsSync(page)]).toEqual([false, false]);
});
