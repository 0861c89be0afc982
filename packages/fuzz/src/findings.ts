import { runBatch, type Setting } from "./batch.ts";
import { differences } from "./compare.ts";
import { expected, type Outcome } from "./expectation.ts";
import { judge } from "./judge.ts";
import type { Node, Program } from "./program.ts";

/** A failure: its kind, a description, and the programs that reproduce it (one, or a batch together). */
export interface Finding {
  readonly kind:
    | "value"
    | "zero sign"
    | "shape"
    | "memory"
    | "error"
    | "crash"
    | "reference"
    | "torch"
    | "bits";
  readonly detail: string;
  readonly programs: readonly Program[];
  readonly setting: Setting;
}

const firstLine = (error: unknown) =>
  String((error as Error)?.message ?? error)
    .split("\n")[0]
    .slice(0, 300);

/** Runs programs together and reports failures. If several programs fail, each is reported alone. */
export async function check(
  programs: readonly Program[],
  setting: Setting,
  wants?: readonly Outcome[],
): Promise<{ findings: Finding[]; rounded: number; outcomes?: readonly Outcome[] }> {
  const finding = (kind: Finding["kind"], detail: string, of: readonly Program[]): Finding => ({
    kind,
    detail,
    programs: of,
    setting,
  });
  let want: readonly Outcome[];
  try {
    want = wants ?? programs.map(expected);
  } catch (error) {
    return { findings: [finding("error", `one at a time: ${firstLine(error)}`, programs)], rounded: 0 };
  }
  try {
    const { outcomes, harm } = await runBatch(programs, setting);
    const findings: Finding[] = harm ? [finding("memory", harm, programs)] : [];
    let rounded = 0;
    for (const [i, p] of programs.entries()) {
      let j = judge(p, outcomes[i], want[i]);
      if (j.verdict && differentiates(p.nodes) && (await otherOrder(p, outcomes[i], want[i])))
        j = { rounded: true };
      if (j.verdict) findings.push(finding(j.verdict.kind, j.verdict.detail, [p]));
      if (j.rounded) rounded++;
    }
    return { findings, rounded, outcomes };
  } catch (error) {
    return { findings: [finding("error", firstLine(error), programs)], rounded: 0 };
  }
}

const differentiates = (nodes: readonly Node[]): boolean =>
  nodes.some(
    (n) =>
      /^(grad|gradient|valueAndGradient)$/.test(n.op) ||
      (n.blocks ?? []).some((b) => differentiates(b.nodes)),
  );

/**
 * Several gradients of one value are added in the order of the graph's nodes, which differs if the whole program is one
 * graph. So the result must match the interpreted graph, and that graph may differ only by such rounding.
 */
async function otherOrder(p: Program, got: Outcome, want: Outcome): Promise<boolean> {
  const setting = { backend: "reference", donate: false, bound: false, collect: false } as const;
  const [graph] = (await runBatch([p], setting)).outcomes;
  return !judge(p, got, graph).verdict && !judge(p, graph, want, 2 ** -23).verdict;
}

/** Narrows down findings of a batch: programs that also fail alone are reported alone. */
export async function narrow(found: readonly Finding[], batch: readonly Program[]): Promise<Finding[]> {
  const out: Finding[] = [];
  for (const f of found) {
    if (f.programs.length === 1) {
      const alone = await check(f.programs, f.setting);
      const same = alone.findings.find((g) => g.kind === f.kind) ?? alone.findings[0];
      // Correct alone: it fails only together with the others.
      out.push(same ?? { ...f, programs: batch, detail: `program ${f.programs[0].index}: ${f.detail}` });
      continue;
    }
    const before = out.length;
    for (const p of f.programs) out.push(...(await check([p], f.setting)).findings);
    if (out.length === before) out.push(f);
  }
  return out;
}

/** Programs whose results have different bits on WebAssembly and natively; `setting` is that of WebAssembly. */
export function unlike(
  programs: readonly Program[],
  setting: Setting,
  native: readonly Outcome[],
  wasm: readonly Outcome[],
): Finding[] {
  return programs.flatMap((p, i): Finding[] => {
    const differ = native[i].flatMap((values, call) =>
      values.flatMap((v, k) => {
        const at = differences(wasm[i][call][k], v);
        return at && at.length === 0 ? [] : [{ call, k, at: at?.[0] ?? 0, v, w: wasm[i][call][k] }];
      }),
    );
    if (!differ.length) return [];
    const [{ call, k, at, v, w }] = differ;
    const detail = `call ${call}, result ${k} ${v.dtype}[${v.shape}], element ${at} is ${w.data[at]} on wasm, ${v.data[at]} natively`;
    return [{ kind: "bits", detail, programs: [p], setting }];
  });
}
