import type { Child } from "./child.ts";
import type { Finding } from "./findings.ts";
import { generate } from "./generate.ts";
import type { BackendName } from "./internals.ts";
import { groupsOf, slotSize } from "./slot.ts";

/** What a child says of a process that died. */
type Death = Exclude<Awaited<ReturnType<Child["ask"]>>, { result: unknown }>;

/** Where the programs came from. */
interface Origin {
  readonly seed: number;
  readonly slot: number;
  readonly backends: readonly BackendName[];
}

/** Which program made a process die: each is run alone. */
export async function causeOf(
  child: Child,
  { death, programs, setting }: Death,
  { seed, slot, backends }: Origin,
): Promise<Finding[]> {
  if (!setting) {
    const [first] = groupsOf(seed, slot, backends);
    return [
      {
        kind: "crash",
        detail: `while making programs of slot ${slot}: ${death}`,
        programs: [generate(seed, slot * slotSize).program],
        setting: first.setting,
      },
    ];
  }
  const alone: Finding[] = [];
  for (const p of programs) {
    const answer = await child.ask({ kind: "check", programs: [p], setting }, 60);
    if ("death" in answer) alone.push({ kind: "crash", detail: answer.death, programs: [p], setting });
  }
  return alone.length ? alone : [{ kind: "crash", detail: death, programs, setting }];
}

/** What is wrong with programs that were made smaller; undefined where nothing is any more. */
export async function probe(
  child: Child,
  programs: Finding["programs"],
  setting: Finding["setting"],
  torch: boolean,
): Promise<Finding | undefined> {
  const answer = await child.ask({ kind: "check", programs, setting, torch }, 60);
  if ("death" in answer) return { kind: "crash", detail: answer.death, programs, setting };
  return answer.result.findings.find((f) => !f.detail.startsWith("one at a time"));
}
