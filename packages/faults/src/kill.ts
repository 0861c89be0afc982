import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Campaign, Outcome } from "./campaign.ts";
import { differences, folderState, isLitter } from "./compare.ts";
import { type Configuration, configurations, named } from "./configurations.ts";
import { endingOf } from "./ending.ts";
import type { ProcessOptions, ProcessResult } from "./process.ts";
import { type Random, randomOf } from "./random.ts";
import { type Reference, references, run, runIn } from "./reference.ts";

/** Kills runs at all kinds of moments, resumes them, and compares with undisturbed runs. */
export const kill: Campaign = {
  name: "kill",
  about:
    "SIGKILL at random moments and at single file operations, several times a run and during a resume; every algorithm and form of storage. The resumed run must end with the same bytes.",
  unit: "kills",
  columns: ["kills", "resumed", "begun again", "lost", "unequal", "litter"],
  async open(scratch, { seed, of }) {
    const all = shuffled(named(configurations(), of), randomOf(seed, "order"));
    const referenceOf = references(scratch, { timed: true });
    return {
      async trial(number, random) {
        const c = all[number % all.length];
        const reference = await referenceOf(c);
        const folder = scratch.fresh("kill");
        const outcome = await killAndResume(c, reference, folder, random);
        scratch.remove(folder);
        return outcome;
      },
    };
  },
};

async function killAndResume(
  c: Configuration,
  reference: Reference,
  folder: string,
  random: Random,
): Promise<Outcome> {
  const counts = { kills: 0, resumed: 0, "begun again": 0, lost: 0, unequal: 0, litter: 0 };
  const what: string[] = [];
  const go = (options: ProcessOptions): Promise<ProcessResult> => {
    const begun = existsSync(join(runIn(folder), "config.json"));
    if (begun) counts.resumed++;
    else if (counts.kills > 0) counts["begun again"]++;
    return run(c, begun ? c.resume : c.begin, { cwd: folder, ...options });
  };
  const done = (findings: readonly string[]): Outcome => ({
    what: `${c.name}: ${what.join(", then ")}`,
    counts,
    findings,
  });
  for (let left = 1 + random.below(3); left > 0; left--) {
    const aim = aimAt(reference, counts.kills > 0, folder, random);
    what.push(aim.what);
    const result = await go(aim.options);
    if (result.code === null && !result.hung) counts.kills++;
    else if (result.code === 0) break;
    else {
      counts.lost++;
      return done([`${result.hung ? "it hung" : result.err.trim().slice(0, 400)} (while being killed)`]);
    }
  }
  const last = await go({});
  const ending = endingOf(last);
  if (ending.kind !== "well") {
    counts.lost++;
    return done([`lost: ${ending.kind === "wrong" ? ending.why : last.err.trim().slice(0, 400)}`]);
  }
  const all = differences(reference.state, folderState(folder));
  const differs = all.filter((d) => !isLitter(d));
  counts.litter += all.length - differs.length;
  if (differs.length) counts.unequal++;
  return done(differs);
}

/** A moment: after some time, at an operation, or at one of a rare kind, such as writing a summary. */
function aimAt(
  { operations, seconds }: Reference,
  later: boolean,
  folder: string,
  random: Random,
): { what: string; options: ProcessOptions } {
  const share = random.uniform();
  if (share < 0.35) {
    const killAfter = Math.round(1000 * seconds * (0.3 + 0.8 * random.uniform()));
    return { what: `after ${killAfter} ms`, options: { killAfter } };
  }
  // A resumed run has less left to do, so earlier operations are likelier to occur.
  const any = () => Math.floor(operations.length * random.uniform() ** (later ? 2 : 1));
  const kinds = [...new Set(operations.map(kindOf))];
  const kind = random.of(kinds);
  const at = 1 + (share < 0.6 ? any() : random.of(positions(operations, kind)));
  const when = random.of(["before", "after", "within"] as const);
  const where = later ? `at operation ${at}` : `${when} ${operations[at - 1]} (operation ${at})`;
  return { what: where, options: { fault: { root: folder, kind: "kill", at, when } } };
}

/** An operation without the numbers in its path. */
const kindOf = (operation: string) => operation.replace(/\d+/g, "N");

const positions = (operations: readonly string[], kind: string) =>
  operations.flatMap((o, i) => (kindOf(o) === kind ? [i] : []));

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const left = [...list];
  return list.map(() => left.splice(random.below(left.length), 1)[0]);
}
