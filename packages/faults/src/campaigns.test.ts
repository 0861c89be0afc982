import { existsSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { cache } from "./cache.ts";
import type { Campaign } from "./campaign.ts";
import { conduct } from "./conduct.ts";
import { damage } from "./damage.ts";
import { disk } from "./disk.ts";
import { hostile } from "./hostile.ts";
import { kill } from "./kill.ts";
import { lock } from "./lock.ts";
import { built } from "./process.ts";
import { scratch } from "./scratch.ts";

const folder = scratch();
afterAll(() => folder.close());

/** A few trials of a campaign, always the same ones. */
const some = (campaign: Campaign, count: number, of?: readonly string[]) =>
  conduct(campaign, folder, { seed: 1, count, of, jobs: 1 }, { progress() {}, finding() {} });

// The children are the built programs.
describe.skipIf(!existsSync(built("main")))("a short form of", { timeout: 300_000 }, () => {
  it("kill", async () => {
    const { findings, counts } = await some(kill, 2, ["q", "disk-replay"]);
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ lost: 0, unequal: 0 });
    expect(counts.kills).toBeGreaterThanOrEqual(2);
  });
  it("disk", async () => {
    const { findings, counts } = await some(disk, 6, ["episodes"]);
    expect(findings).toEqual([]);
    expect(counts.named + counts.survived).toBe(6);
    expect(counts.named).toBeGreaterThan(1);
  });
  it("damage", async () => {
    const { findings, counts } = await some(damage, 6, ["ucb"]);
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ faults: 6, wrong: 0 });
    expect(counts.named + counts.warned).toBeGreaterThan(0);
  });
  it("lock", async () => {
    const { findings, counts } = await some(lock, 15);
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ races: 15, double: 0, nobody: 0 });
    expect(counts.holders + counts.died).toBeGreaterThanOrEqual(15);
  });
  it.skipIf(process.platform === "win32")("hostile", async () => {
    const { findings, counts } = await some(hostile, 8);
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ folders: 8, wrong: 0 });
    expect(counts.named).toBeGreaterThan(4);
  });
  it("cache", async () => {
    const { findings, counts } = await some(cache, 1);
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ faults: 1, wrong: 0 });
  });
});
