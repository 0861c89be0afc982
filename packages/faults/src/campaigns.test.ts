import { existsSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { cache } from "./cache.ts";
import type { Campaign } from "./campaign.ts";
import { conduct } from "./conduct.ts";
import { damage } from "./damage.ts";
import { disk } from "./disk.ts";
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
    const { findings, counts } = await some(kill, 6, ["q", "disk-replay"]);
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ lost: 0, unequal: 0 });
    expect(counts.kills).toBeGreaterThanOrEqual(6);
  });
  it("disk", async () => {
    const { findings, counts } = await some(disk, 12, ["episodes"]);
    expect(findings).toEqual([]);
    expect(counts.named + counts.survived).toBe(12);
    expect(counts.named).toBeGreaterThan(2);
  });
  it("damage", async () => {
    const { findings, counts } = await some(damage, 12, ["ucb"]);
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ faults: 12, wrong: 0 });
    expect(counts.named + counts.warned).toBeGreaterThan(0);
  });
  it("lock", async () => {
    const { findings, counts } = await some(lock, 25);
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ races: 25, double: 0, nobody: 0 });
    expect(counts.holders + counts.died).toBeGreaterThanOrEqual(25);
  });
  it("cache", async () => {
    const { findings, counts } = await some(cache, 3);
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ faults: 3, wrong: 0 });
  });
});
