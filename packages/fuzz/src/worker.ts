import type { Setting } from "./batch.ts";
import { countPairs, type Pairs } from "./coverage.ts";
import { expected, type Outcome } from "./expectation.ts";
import { check, type Finding, narrow, unlike } from "./findings.ts";
import { generate } from "./generate.ts";
import type { BackendName } from "./internals.ts";
import { judge } from "./judge.ts";
import type { Program } from "./program.ts";
import { groupsOf, slotSize } from "./slot.ts";
import { equalUpToZeroSigns, firstCall, TorchPeer } from "./torch.ts";

/** A request to a worker. */
export type Request =
  | {
      readonly kind: "slot";
      readonly seed: number;
      readonly slot: number;
      readonly backends: readonly BackendName[];
    }
  | {
      readonly kind: "check";
      readonly programs: readonly Program[];
      readonly setting: Setting;
      readonly torch?: boolean;
    };

/** A worker's answer; `at` announces what it is about to do, in case it crashes. */
export type Reply =
  | { readonly kind: "at"; readonly programs: readonly Program[]; readonly setting: Setting }
  | { readonly kind: "done"; readonly result: SlotResult };

export interface SlotResult {
  readonly findings: readonly Finding[];
  readonly programs: number;
  readonly nodes: number;
  /** Number of runs whose bits differ from the expected ones, within rounding. */
  readonly rounded: number;
  readonly runs: number;
  readonly pairs: Pairs;
  /** Number of programs that PyTorch also ran, and reasons why it did not run the others, with counts. */
  readonly torch: number;
  readonly skipped: ReadonlyMap<string, number>;
}

/** PyTorch's functions differ in their last bits: a few units in the last place. */
const peerError = 2 ** -21;
const python = process.env.REINS_FUZZ_TORCH;
let peer: TorchPeer | undefined;

/** Differences from PyTorch. Only the reference is compared: the back ends are compared with it. */
async function againstTorch(programs: readonly Program[], wants: readonly Outcome[]) {
  const skipped = new Map<string, number>();
  const findings: Finding[] = [];
  let compared = 0;
  peer ??= new TorchPeer(python!);
  const answers = await peer.run(programs);
  programs.forEach((p, i) => {
    const answer = answers[i];
    if ("skip" in answer) {
      skipped.set(answer.skip, (skipped.get(answer.skip) ?? 0) + 1);
      return;
    }
    compared++;
    const want = firstCall(wants[i]);
    const got = answer.values.map((v, k) => equalUpToZeroSigns(v, want[0][k]));
    const { verdict } = judge(p, [got], want, peerError);
    if (verdict && verdict.kind !== "zero sign")
      findings.push({
        kind: "torch",
        detail: verdict.detail,
        programs: [p],
        setting: { ...plain, backend: "reference" },
      });
  });
  return { findings, compared, skipped };
}

/** Sums on WebAssembly equal those of native code if it has fused multiply-add. */
const fused = process.env.REINS_RELAXED_SIMD === "1";
const plain = { donate: false, bound: false, collect: false } as const;

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
  /** The native results of the same programs, by the first of them. */
  const native = new Map<number, readonly Outcome[]>();
  for (const { from, count, setting } of groupsOf(seed, slot, backends)) {
    const start = from - slot * slotSize;
    const some = programs.slice(start, start + count);
    say({ kind: "at", programs: some, setting });
    const result = await check(some, setting, wants.slice(start, start + count));
    rounded += result.rounded;
    runs += count;
    findings.push(...(await narrow(result.findings, some)));
    if (setting.backend === "native" && result.outcomes) native.set(from, result.outcomes);
    const other = native.get(from);
    if (setting.backend === "wasm" && result.outcomes && other && fused)
      findings.push(...unlike(some, setting, other, result.outcomes));
  }
  const torch = python
    ? await againstTorch(programs, wants)
    : { findings: [], compared: 0, skipped: new Map() };
  findings.push(...torch.findings);
  const nodes = programs.reduce((n, p) => n + p.nodes.length, 0);
  return {
    findings,
    programs: slotSize,
    nodes,
    rounded,
    runs,
    pairs,
    torch: torch.compared,
    skipped: torch.skipped,
  };
}

/** A PyTorch finding is checked again with PyTorch. */
async function checked({ programs, setting, torch }: Request & { kind: "check" }): Promise<SlotResult> {
  const none = { programs: programs.length, nodes: 0, runs: 1, pairs: new Map(), skipped: new Map() };
  if (!torch) {
    const { findings, rounded } = await check(programs, setting);
    return { ...none, findings, rounded, torch: 0 };
  }
  try {
    const { findings, compared } = await againstTorch(programs, programs.map(expected));
    return { ...none, findings, rounded: 0, torch: compared };
  } catch {
    // A shrunk program may be invalid.
    return { ...none, findings: [], rounded: 0, torch: 0 };
  }
}

process.on("message", async (request: Request) => {
  say({ kind: "done", result: request.kind === "slot" ? await slotOf(request) : await checked(request) });
});
process.on("disconnect", () => {
  peer?.end();
  process.exit(0);
});
