import { setTimeout as wait } from "node:timers/promises";
import type { BackendName } from "@reins/tensor";
import type { Setting } from "./batch.ts";
import { countPairs, type Pairs } from "./coverage.ts";
import { expected, type Outcome } from "./expected.ts";
import { check, type Finding, narrow } from "./findings.ts";
import { generate } from "./generate.ts";
import type { Program } from "./program.ts";
import { groupsOf, slotSize } from "./slot.ts";

/** What a worker is asked to do. */
export type Request =
  | {
      readonly kind: "slot";
      readonly seed: number;
      readonly slot: number;
      readonly backends: readonly BackendName[];
    }
  | { readonly kind: "check"; readonly programs: readonly Program[]; readonly setting: Setting };

/** What it answers; `at` says what it is about to do, for the case that it never comes back. */
export type Reply =
  | { readonly kind: "at"; readonly programs: readonly Program[]; readonly setting: Setting }
  | { readonly kind: "done"; readonly result: SlotResult };

export interface SlotResult {
  readonly findings: readonly Finding[];
  readonly programs: number;
  readonly nodes: number;
  /** Runs whose bits differ from the expected ones, within rounding. */
  readonly rounded: number;
  readonly runs: number;
  readonly pairs: Pairs;
}

const say = (reply: Reply) => process.send!(reply);

async function slotOf(request: Request & { kind: "slot" }): Promise<SlotResult> {
  const { seed, slot, backends } = request;
  const findings: Finding[] = [];
  const pairs: Pairs = new Map();
  const programs: Program[] = [];
  const wants: Outcome[] = [];
  for (let i = 0; i < slotSize; i++) {
    const { program, failures } = generate(seed, slot * slotSize + i);
    for (const f of failures)
      findings.push({
        kind: "reference",
        detail: f,
        programs: [program],
        setting: groupsOf(seed, slot, ["reference"])[0]?.setting,
      });
    countPairs(program, pairs);
    programs.push(program);
    wants.push(expected(program));
  }
  let [rounded, runs] = [0, 0];
  for (const { from, count, setting } of groupsOf(seed, slot, backends)) {
    const start = from - slot * slotSize;
    const some = programs.slice(start, start + count);
    say({ kind: "at", programs: some, setting });
    const result = await check(some, setting, wants.slice(start, start + count));
    rounded += result.rounded;
    runs += count;
    findings.push(...(await narrow(result.findings, some)));
  }
  const nodes = programs.reduce((n, p) => n + p.nodes.length, 0);
  return { findings, programs: slotSize, nodes, rounded, runs, pairs };
}

process.on("message", async (request: Request) => {
  if (request.kind === "slot") say({ kind: "done", result: await slotOf(request) });
  else {
    const { findings, rounded } = await check(request.programs, request.setting);
    say({
      kind: "done",
      result: { findings, programs: request.programs.length, nodes: 0, rounded, runs: 1, pairs: new Map() },
    });
  }
});
process.on("disconnect", () => process.exit(0));
// A worker that nobody asks anything stays alive.
void (async () => {
  for (;;) await wait(1 << 30);
})();
