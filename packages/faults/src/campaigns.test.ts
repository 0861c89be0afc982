import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { cache } from "./cache.ts";
import type { Campaign } from "./campaign.ts";
import { runCampaign } from "./campaign-runner.ts";
import { differences, folderState, isLitter } from "./compare.ts";
import { configurations } from "./configurations.ts";
import { damage } from "./damage.ts";
import { disk } from "./disk.ts";
import { hostile } from "./hostile.ts";
import { kill } from "./kill.ts";
import { lock } from "./lock.ts";
import { built } from "./process.ts";
import { randomOf } from "./random.ts";
import { references, run } from "./reference.ts";
import { requests, trialOf } from "./requests.ts";
import { sandboxes } from "./sandboxes.ts";
import { scratch } from "./scratch.ts";

const folder = scratch();
afterAll(() => folder.close());

/** A few fixed trials of a campaign. */
const some = (campaign: Campaign, count: number, of?: readonly string[]) =>
  runCampaign(campaign, folder, { seed: 1, count, of, jobs: 1 }, { progress() {}, finding() {} });

// The children are the built programs.
describe.skipIf(!existsSync(built("main")))("a short form of", { timeout: 300_000 }, () => {
  it("kill", async () => {
    const { findings, counts } = await some(kill, 2, ["q", "disk-replay"]);
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ lost: 0, unequal: 0 });
    expect(counts.kills).toBeGreaterThanOrEqual(2);
  });
  it("kill: a checkpoint never comes before the transcripts of its step", async () => {
    const c = configurations().find(({ name }) => name === "reinforce-words")!;
    const reference = await references(folder)(c);
    const at = 1 + reference.operations.lastIndexOf("writeFileSync run/transcripts.jsonl");
    expect(at).toBeGreaterThan(0);
    const cwd = folder.fresh("transcripts");
    expect(
      await run(c, c.begin, { cwd, fault: { root: cwd, kind: "kill", at, when: "before" } }),
    ).toMatchObject({
      code: null,
    });
    expect(await run(c, c.resume, { cwd })).toMatchObject({ code: 0 });
    expect(differences(reference.state, folderState(cwd)).filter((d) => !isLitter(d))).toEqual([]);
  });
  for (const { count, tags } of [
    { count: 3, tags: [] },
    { count: 6, tags: ["slow"] },
  ]) {
    it(`disk, ${count} faults`, { tags }, async () => {
      const { findings, counts } = await some(disk, count, ["episodes"]);
      expect(findings).toEqual([]);
      expect(counts.named + counts.survived).toBe(count);
      expect(counts.named).toBeGreaterThan(0);
    });
    it(`damage, ${count} faults`, { tags }, async () => {
      const { findings, counts } = await some(damage, count, ["ucb"]);
      expect(findings).toEqual([]);
      expect(counts).toMatchObject({ faults: count, wrong: 0 });
      expect(counts.named + counts.warned).toBeGreaterThan(0);
    });
  }
  it("lock", async () => {
    const { findings, counts } = await some(lock, 15);
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ races: 15, double: 0, unlocked: 0 });
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
  it("requests", async () => {
    const { findings, counts } = await some(requests, 40);
    expect(findings).toEqual([]);
    expect(counts.requests).toBe(40);
    expect(counts.refused).toBeGreaterThan(20);
  });
  it("sandboxes", async () => {
    const { findings, counts } = await some(sandboxes, 12);
    expect(findings).toEqual([]);
    expect(counts.attacks).toBe(12);
  });
});

it("finds a server that fails, or that accepts invalid requests", async () => {
  let status = 500;
  const server = createServer((_, response) => {
    response.statusCode = status;
    response.end();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  const fine = { method: "GET", path: "/" };
  const target = {
    name: "gateway",
    port,
    bearer: "Bearer x",
    fine,
    isAlive: () => true,
    memory: () => 0,
  } as const;
  const findings = async (number: number) =>
    (await trialOf(target, randomOf(3, "requests", number), () => true)).findings.join();
  const all = async () => (await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(findings))).join();
  expect(await all()).toContain("status 500");
  expect(await all()).toContain("a valid request was then answered with 500");
  status = 200;
  expect(await all()).toContain("status 200 to a bad request");
  server.close();
});
