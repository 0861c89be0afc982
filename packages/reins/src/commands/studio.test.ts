import { expect, it } from "vitest";
import { reins } from "../cli/testing.ts";
import { reached } from "./studio.ts";

it("says where others reach it", () => {
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

it("does not begin on a folder that is not there", async () => {
  const { code, err } = await reins("studio", "/no/such/folder");
  expect(code).not.toBe(0);
  expect(err).toContain("there is no folder /no/such/folder");
});
