import { chmodSync } from "node:fs";
import { type Attacked, attacks, compute } from "./cache-attacks.ts";
import type { Campaign, Outcome } from "./campaign.ts";
import { endingOf } from "./ending.ts";
import type { ProcessResult } from "./process.ts";

type Digests = { readonly [name: string]: string };

/** Attacks the cache of compiled programs, and the processes that fill it. */
export const cache: Campaign = {
  name: "cache",
  about:
    "The kernel cache: damaged plans, entries and libraries, a compiler that fails, hangs or writes wrong output, concurrent or killed builds, failing disks, files removed while in use. Results must be those without a cache.",
  unit: "faults",
  columns: ["faults", "equal", "named", "wrong"],
  async open(scratch) {
    const full = scratch.fresh("cache");
    chmodSync(full, 0o700);
    const native = await compute(full, { limit: 300 });
    const wasm = await compute(full, { env: { REINS_BACKEND: "wasm" } });
    if (native.code !== 0 || wasm.code !== 0)
      throw new Error(`The functions do not run even without a fault: ${native.err}${wasm.err}`);
    const expected = { native: JSON.parse(native.out) as Digests, wasm: JSON.parse(wasm.out) as Digests };
    return {
      async trial(_, random) {
        const name = random.of(weighted);
        const folder = scratch.fresh("cached");
        const attacked = await attacks[name](full, folder, random);
        scratch.remove(folder);
        return judge(name, attacked, expected);
      },
    };
  },
};

/** Damage is quick to test, so most trials use it. */
const weighted = [
  ...new Array<string>(12).fill("damaged"),
  ...["compiler", "together", "killed", "killed", "disk", "disk", "pruned"],
];

/** Programs that failed to compile or to be cached may run on the other back end; all other results must not change. */
function judge(
  name: string,
  { what, sound, harmed = [] }: Attacked,
  { native, wasm }: { native: Digests; wasm: Digests },
): Outcome {
  const counts = { faults: 1, equal: 0, named: 0, wrong: 0 };
  const check = (result: ProcessResult, allowed: readonly Digests[]) => {
    const ending = endingOf(result);
    if (ending.kind === "wrong") return [ending.why];
    if (ending.kind === "named") return [];
    const found = JSON.parse(result.out) as Digests;
    return Object.keys(native)
      .filter((f) => !allowed.some((digests) => digests[f] === found[f]))
      .map((f) => `${f} gives another result${found[f] === wasm[f] ? ": that of wasm" : ""}`);
  };
  const findings = [
    ...harmed.flatMap((result) => check(result, [native, wasm])),
    ...sound.flatMap((result) => check(result, [native])),
  ];
  if (findings.length) counts.wrong++;
  else if ([...sound, ...harmed].some((result) => result.code !== 0)) counts.named++;
  else counts.equal++;
  return { what: `${name}: ${what}`, counts, findings };
}
