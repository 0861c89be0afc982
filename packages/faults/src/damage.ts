import type { Campaign, Outcome } from "./campaign.ts";
import { differences, likenessOf } from "./compare.ts";
import { type Configuration, named } from "./configurations.ts";
import { tolerated } from "./damage-rules.ts";
import { type Deed, deedsOf } from "./deeds.ts";
import type { Said } from "./process.ts";
import { type Random, randomOf } from "./random.ts";
import { type Reference, references } from "./reference.ts";
import type { Scratch } from "./scratch.ts";
import { spoil } from "./spoil.ts";
import { confirmed, copied, copyOf, few, fresh, kept, stoppedRuns, type Way } from "./stop.ts";
import { endingOf } from "./verdict.ts";

/** Damages the files of runs. */
export const damage: Campaign = {
  name: "damage",
  about:
    "Files of stopped and finished runs and of saved models are truncated, emptied, deleted, flipped, swapped, zeroed, replaced by directories and by files of other runs. Resuming, evaluating and loading must give exactly the original results, warn, or end with a named error.",
  unit: "faults",
  columns: ["faults", "survived", "warned", "named", "undetectable", "wrong"],
  async open(scratch, { of }) {
    const all = named(few(), of);
    const referenceOf = references(scratch);
    const stoppedOf = stoppedRuns(scratch);
    const donorOf = references(scratch);
    const shared = kept();
    const expected = new Map<string, Promise<Said>>();
    const prepare = async (random: Random) => {
      const c = random.of(all);
      const reference = await referenceOf(c);
      const donor = (await donorOf(other(c))).folder;
      const deed = random.of(deedsOf(copied(c)));
      const folder = deed.on === "stopped" ? (await stoppedOf(c, reference)).folder : reference.folder;
      const key = `${c.name} ${deed.name}`;
      if (deed.on === "finished" && !expected.has(key)) {
        const copy = copyOf(scratch, folder, "whole");
        expected.set(key, fresh(deed.own ? { ...c, own: true } : c, deed.args, copy));
      }
      return { c, reference, donor, deed, folder, expected: await expected.get(key) };
    };
    return {
      async trial(number, random) {
        const chosen = await prepare(random);
        const seed = random.below(2 ** 31);
        const attempt = (way: Way) => damageAndUse(chosen, way, scratch, randomOf(seed));
        return confirmed(number, shared.way, attempt);
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
  readonly deed: Deed;
  readonly folder: string;
  readonly expected: Said | undefined;
}

async function damageAndUse(
  { c, reference, donor, deed, folder: from, expected }: Case,
  way: Way,
  scratch: Scratch,
  random: Random,
): Promise<Outcome> {
  const folder = copyOf(scratch, from, "damage");
  const { name, how, coarse } = spoil(folder, donor, deed.about, random);
  const counts = { faults: 1, survived: 0, warned: 0, named: 0, undetectable: 0, wrong: 0 };
  const findings: string[] = [];
  const said = await way(deed.own ? { ...c, own: true } : c, deed.args, folder);
  const ending = endingOf(said);
  if (ending.kind === "wrong") findings.push(ending.why);
  else if (ending.kind === "named") counts.named++;
  else {
    const differs = expected
      ? deed.same(said, expected)
        ? []
        : [`it says ${said.out.trim().slice(0, 200)} instead of ${expected.out.trim().slice(0, 200)}`]
      : differences(reference.likeness, likenessOf(folder));
    const verdict = differs.length
      ? tolerated({ name, coarse, differs, err: said.err, reference })
      : "survived";
    if (verdict) counts[verdict]++;
    else findings.push(...differs);
  }
  scratch.remove(folder);
  if (findings.length) counts.wrong++;
  return { what: `${c.name}, ${deed.name}: ${name} ${how}`, counts, findings };
}
