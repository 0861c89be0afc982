import { createHash } from "node:crypto";
import { fail } from "@reins/core";
import type { Bed } from "../bed.ts";
import { columnOfRest, mean, type Table } from "../claims/table.ts";
import { samePoint } from "../grid.ts";
import { type Arm, armsOf, type Recipe } from "../recipe.ts";
import { spreadOf } from "../statistics/power.ts";
import { type Block, tableOf } from "./record.ts";
import { type Result, readResult, type TestbedRecord } from "./result.ts";
import type { Job, Runner, StoredOutcome } from "./trial.ts";
import { tunedMetric } from "./tuning.ts";

/** Evaluation noise must be a smaller share of the variance than this. */
const mostNoise = 0.25;

/** The digest of the data that determine a testbed's runs. Texts do not count. */
function versionOf(id: string, bed: Bed, arms: readonly Arm[], { budget, metrics }: Recipe): string {
  const data = {
    id,
    budget,
    metrics,
    answers: bed.answers,
    smallest: bed.smallest,
    arms: arms.map(({ name, content, grid }) => ({ name, content, grid })),
  };
  const words = new Set(["about", "because"]);
  const text = JSON.stringify(data, (key, value) => (words.has(key) ? undefined : value));
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The version of the testbed that a recipe is, or is measured on. */
export function testbedVersion(r: Recipe): string | undefined {
  if (r.bed) return versionOf(r.id, r.bed, armsOf(r), r);
  return (
    r.on &&
    versionOf(
      r.on.id,
      r.on.bed,
      armsOf(r).filter((arm) => r.on!.arms.includes(arm.name)),
      r,
    )
  );
}

/** The record of a testbed, from its tuning runs. */
export function testbedRecord(testbed: Recipe, pilot: Block): TestbedRecord {
  const { bed } = testbed;
  const table = tableOf(pilot);
  const [first, second] = armsOf(testbed).map((arm) => arm.name);
  const metric = tunedMetric(testbed);
  const [a, b] = [first, second].map((name) => table.values[name][metric]);
  const spread = spreadOf(a.map((x, i) => x - b[i]));
  const conditions = Object.entries(bed!.conditions).map(([name, { of }]) => [
    name,
    of((value) => mean(columnOfRest(table, first, value))),
  ]);
  return {
    version: testbedVersion(testbed)!,
    pilot,
    conditions: Object.fromEntries(conditions),
    noise: noiseOf(bed!.answers, table, [first, second], metric) / spread ** 2,
    spread,
  };
}

/** The variance of a paired difference of accuracies that comes from sampling answers. */
function noiseOf(
  answers: number | "enumerated",
  { values }: Table,
  arms: readonly string[],
  metric: string,
): number {
  if (answers === "enumerated") return 0;
  return arms.reduce((sum, arm) => sum + mean(values[arm][metric].map((p) => (p * (1 - p)) / answers)), 0);
}

/** The recorded testbed of a recipe. Throws if it is not measured, is another version, or lacks what the recipe presupposes. */
export function recordedTestbed(book: string, r: Recipe): Result & { readonly testbed: TestbedRecord } {
  const where = `recipe ${r.id}`;
  const { id, presupposes } = r.on!;
  const result = readResult(book, id);
  if (!result?.testbed)
    return fail(where, `rule testbed-first: the testbed ${id} is not measured. Run reins recipes run ${id}.`);
  const { testbed } = result;
  if (testbed.version !== testbedVersion(r))
    fail(
      where,
      `rule testbed-version: ${id} has changed since it was measured. Run reins recipes run ${id} --because WORDS, then its recipes again.`,
    );
  if (testbed.noise >= mostNoise)
    fail(
      where,
      `rule evaluation-noise: ${Math.round(100 * testbed.noise)}% of the variance of paired differences on ${id} may be evaluation noise. Evaluate more answers there, until it is below ${100 * mostNoise}%.`,
    );
  for (const [name, { least, because }] of Object.entries(presupposes)) {
    const there = testbed.conditions[name];
    if (!(there >= least))
      fail(
        where,
        `rule preconditions: it presupposes ${name} of at least ${least} (${because}), but ${id} has ${there?.toPrecision(3)}. Choose another testbed.`,
      );
  }
  return { ...result, testbed };
}

/** Answers jobs of a testbed's arms from its record, and runs all others. */
export function recordedFirst(r: Recipe, { testbed, blocks, settings, tuning }: Result, run: Runner): Runner {
  const all = [testbed!.pilot, ...blocks];
  const find = (job: Job): StoredOutcome | undefined => {
    const { name } = armsOf(r)[job.side];
    if (!r.on!.arms.includes(name) || job.quick) return undefined;
    const block = all.find((b) => b.replicates.includes(`${job.seed}`));
    const at = block?.replicates.indexOf(`${job.seed}`) ?? -1;
    const rivals = tuning.find((t) => t.side === name)?.rivals ?? [];
    const rival = rivals.findIndex((s) => samePoint(s, job.settings));
    const columns = samePoint(settings[name], job.settings)
      ? block?.values[name]
      : block?.rivals?.[name]?.[rival];
    if (!block || !columns) return undefined;
    const failed = block.failed?.[name]?.[`${job.seed}`];
    return {
      values: Object.fromEntries(Object.entries(columns).map(([value, list]) => [value, list[at]])),
      early: at === 0 ? block.early[name] : [],
      used: block.used[name][at],
      seconds: 0,
      backend: block.backend,
      ...(failed !== undefined && { failed }),
      ...(at === 0 && block.warm && { warm: block.warm }),
    };
  };
  return async (jobs) => {
    const found = jobs.map(find);
    const rest = await run(jobs.filter((_, i) => !found[i]));
    let next = 0;
    return found.map((outcome) => outcome ?? rest[next++]);
  };
}
