import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Campaign, Outcome } from "./campaign.ts";
import { differences, folderState, isLitter } from "./compare.ts";
import { type Configuration, named } from "./configurations.ts";
import { endingOf } from "./ending.ts";
import type { Fault } from "./fault.ts";
import type { Random } from "./random.ts";
import { type Reference, references, runIn } from "./reference.ts";
import type { Scratch } from "./scratch.ts";
import {
  confirmed,
  copyOf,
  forCopy,
  type Runner,
  sharedProcess,
  stoppedRuns,
  storageConfigurations,
} from "./stopped-runs.ts";

/** Makes file operations fail. */
export const disk: Campaign = {
  name: "disk",
  about:
    "Failing writes (ENOSPC, EIO, EROFS, EACCES, EMFILE), once or from then on, complete or partial, short writes and failing reads, while a run starts or is resumed. It must survive or end with a named error, and then continue to the same bytes.",
  unit: "faults",
  columns: ["faults", "survived", "named", "wrong", "litter"],
  async open(scratch, { of }) {
    const all = named(storageConfigurations(), of);
    const referenceOf = references(scratch);
    const stoppedOf = stoppedRuns(scratch);
    const shared = sharedProcess();
    return {
      async trial(number, random) {
        const c = random.of(all);
        const reference = await referenceOf(c);
        const start = random.chance(0.5) ? await stoppedOf(c, reference) : undefined;
        const draw = faultFrom((start ?? reference).operations, random);
        const attempt = (runner: Runner) =>
          failAndGoOn(forCopy(c), reference, start?.folder, draw, runner, scratch);
        return confirmed(number, shared.runner, attempt);
      },
      close: shared.close,
    };
  },
};

function faultFrom(operations: readonly string[], random: Random): (root: string) => Fault {
  const at = 1 + random.below(operations.length);
  const when = random.of(["before", "within"] as const);
  if (random.chance(0.1)) return (root) => ({ root, kind: "short", at, lasting: true });
  const reads = random.chance(0.15);
  const code = reads ? "EIO" : random.of(["ENOSPC", "EIO", "EROFS", "EACCES", "EMFILE"]);
  const lasting = random.chance(0.5);
  return (root) => ({ root, kind: "fail", at, when, code, lasting, ...(reads ? { reads } : {}) });
}

async function failAndGoOn(
  c: Configuration,
  reference: Reference,
  start: string | undefined,
  faultIn: (root: string) => Fault,
  runner: Runner,
  scratch: Scratch,
): Promise<Outcome> {
  const folder = start ? copyOf(scratch, start, "disk") : scratch.fresh("disk");
  const fault = faultIn(folder);
  const { kind, code, at, lasting, reads } = fault;
  const event = kind === "short" ? "short writes" : `${code}${reads ? " while reading" : ""}`;
  const what = `${c.name}, ${start ? "resumed" : "new"}: ${event} ${lasting ? "from" : "at"} operation ${at}`;
  const counts = { faults: 1, survived: 0, named: 0, wrong: 0, litter: 0 };
  const findings: string[] = [];
  const result = await runner(c, start ? c.resume : c.begin, folder, { fault });
  const ending = endingOf(result);
  if (ending.kind === "wrong") findings.push(ending.why);
  else if (ending.kind === "named") counts.named++;
  else counts.survived++;
  if (result.code !== 0) {
    const begun = existsSync(join(runIn(folder), "config.json"));
    if (start && !begun) findings.push("config.json is missing");
    const later = await runner(c, begun ? c.resume : c.begin, folder);
    if (later.code !== 0) findings.push(`afterwards: ${later.err.trim().slice(0, 300)}`);
  }
  if (!findings.some((f) => f.startsWith("afterwards"))) {
    const all = differences(reference.state, folderState(folder));
    counts.litter = all.filter(isLitter).length;
    findings.push(...all.filter((d) => !isLitter(d)).map((d) => `afterwards ${d}`));
  }
  scratch.remove(folder);
  if (findings.length) counts.wrong++;
  if (findings.length && ending.kind === "named")
    findings.push(`the first attempt printed: ${result.err.trim().slice(0, 300)}`);
  return { what, counts, findings };
}
