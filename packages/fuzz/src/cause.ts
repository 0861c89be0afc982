import type { Child } from "./child.ts";
import type { Finding } from "./findings.ts";
import { generate } from "./generate.ts";
import type { BackendName } from "./internals.ts";
import { groupsOf, slotSize } from "./slot.ts";

/** How a child reports a dead process. */
type Death = Exclude<Awaited<ReturnType<Child["ask"]>>, { result: unknown }>;

/** The origin of the programs. */
interface Origin {
  readonly seed: number;
  readonly slot: number;
  readonly backends: readonly BackendName[];
}

/** Finds the program that crashed a process by running each alone. */
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
        detail: `while generating programs of slot ${slot}: ${death}`,
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

/** The finding of shrunk programs; undefined if they no longer fail. */
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
