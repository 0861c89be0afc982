import type { Campaign, Outcome } from "./campaign.ts";
import { type Command, commandsOf } from "./commands.ts";
import { differences, folderState } from "./compare.ts";
import { type Configuration, named } from "./configurations.ts";
import { damageFile } from "./damage-file.ts";
import { tolerated } from "./damage-rules.ts";
import { endingOf } from "./ending.ts";
import type { ProcessResult } from "./process.ts";
import { type Random, randomOf } from "./random.ts";
import { type Reference, references } from "./reference.ts";
import type { Scratch } from "./scratch.ts";
import {
  confirmed,
  copyOf,
  forCopy,
  type Runner,
  separateProcess,
  sharedProcess,
  stoppedRuns,
  storageConfigurations,
} from "./stopped-runs.ts";

/** Damages the files of runs. */
export const damage: Campaign = {
  name: "damage",
  about:
    "Files of stopped and finished runs and of saved models are truncated, emptied, deleted, flipped, swapped, zeroed, replaced by directories and by files of other runs. Resuming, evaluating and loading must give exactly the original results, warn, or end with a named error.",
  unit: "faults",
  columns: ["faults", "survived", "warned", "named", "undetectable", "wrong"],
  async open(scratch, { of }) {
    const all = named(storageConfigurations(), of);
    const referenceOf = references(scratch);
    const stoppedOf = stoppedRuns(scratch);
    const donorOf = references(scratch);
    const shared = sharedProcess();
    const expected = new Map<string, Promise<ProcessResult>>();
    const prepare = async (random: Random) => {
      const c = random.of(all);
      const reference = await referenceOf(c);
      const donor = (await donorOf(other(c))).folder;
      const command = random.of(commandsOf(forCopy(c)));
      const folder = command.on === "stopped" ? (await stoppedOf(c, reference)).folder : reference.folder;
      const key = `${c.name} ${command.name}`;
      if (command.on === "finished" && !expected.has(key)) {
        const copy = copyOf(scratch, folder, "whole");
        expected.set(key, separateProcess(command.own ? { ...c, own: true } : c, command.args, copy));
      }
      return { c, reference, donor, command, folder, expected: await expected.get(key) };
    };
    return {
      async trial(number, random) {
        const chosen = await prepare(random);
        const seed = random.below(2 ** 31);
        const attempt = (runner: Runner) => damageAndUse(chosen, runner, scratch, randomOf(seed));
        return confirmed(number, shared.runner, attempt);
      },
      close: shared.close,
    };
  },
};

/** The configuration with another seed. */
const other = (c: Configuration): Configuration => ({
  ...c,
  name: `${c.name}-other`,
  begin: c.own ? [...c.begin, "6"] : c.begin.map((word, i) => (c.begin[i - 1] === "--seed" ? "4" : word)),
});

interface Case {
  readonly c: Configuration;
  readonly reference: Reference;
  readonly donor: string;
  readonly command: Command;
  readonly folder: string;
  readonly expected: ProcessResult | undefined;
}

async function damageAndUse(
  { c, reference, donor, command, folder: from, expected }: Case,
  runner: Runner,
  scratch: Scratch,
  random: Random,
): Promise<Outcome> {
  const folder = copyOf(scratch, from, "damage");
  const { name, how, coarse } = damageFile(folder, donor, command.about, random);
  const counts = { faults: 1, survived: 0, warned: 0, named: 0, undetectable: 0, wrong: 0 };
  const findings: string[] = [];
  const result = await runner(command.own ? { ...c, own: true } : c, command.args, folder);
  const ending = endingOf(result);
  if (ending.kind === "wrong") findings.push(ending.why);
  else if (ending.kind === "named") counts.named++;
  else {
    const differs = expected
      ? command.same(result, expected)
        ? []
        : [`it says ${result.out.trim().slice(0, 200)} instead of ${expected.out.trim().slice(0, 200)}`]
      : differences(reference.state, folderState(folder));
    const verdict = differs.length
      ? tolerated({ name, coarse, differs, err: result.err, reference })
      : "survived";
    if (verdict) counts[verdict]++;
    else findings.push(...differs);
  }
  scratch.remove(folder);
  if (findings.length) counts.wrong++;
  return { what: `${c.name}, ${command.name}: ${name} ${how}`, counts, findings };
}
