import type { Setting } from "./batch.ts";
import { copyOf } from "./compare.ts";
import type { Finding } from "./findings.ts";
import { prune } from "./generate.ts";
import {
  type Arg,
  type Block,
  type Input,
  inputTensors,
  isRef,
  type Node,
  type Program,
  refsOf,
  runNodes,
} from "./program.ts";

/** A case: programs and how they are run. */
interface Case {
  readonly programs: readonly Program[];
  readonly setting: Setting;
}

/** Whether a case still fails in the same way. */
export type Probe = (programs: readonly Program[], setting: Setting) => Promise<Finding | undefined>;

/** A smaller finding: fewer programs, results, operations and elements, as long as it still fails, within the time. */
export async function shrink(found: Finding, probe: Probe, seconds = 60): Promise<Finding> {
  const end = Date.now() + seconds * 1000;
  let best = found;
  const attempt = async (candidate: Case): Promise<boolean> => {
    if (Date.now() > end) return false;
    const f = await probe(candidate.programs, candidate.setting);
    if (f?.kind !== found.kind) return false;
    best = { ...f, programs: candidate.programs, setting: candidate.setting };
    return true;
  };
  await fewerPrograms(() => best, attempt);
  await plainerSetting(() => best, attempt);
  let before = "";
  while (before !== JSON.stringify(best.programs) && Date.now() < end) {
    before = JSON.stringify(best.programs);
    for (let i = 0; i < best.programs.length; i++) {
      const one = (p: Program) =>
        attempt({ ...best, programs: best.programs.map((q, k) => (k === i ? p : q)) });
      for (const variants of [fewerResults, fewerNodes, smallerExtents, plainerValues]) {
        for (let again = true; again && Date.now() < end; ) {
          again = false;
          for (const p of variants(best.programs[i])) {
            if (Date.now() > end) break;
            if (await one(p)) {
              again = true;
              break;
            }
          }
        }
      }
    }
  }
  return best;
}

async function fewerPrograms(best: () => Case, attempt: (c: Case) => Promise<boolean>): Promise<void> {
  for (let size = Math.floor(best().programs.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < best().programs.length && best().programs.length > 1; ) {
      const { programs, setting } = best();
      const rest = [...programs.slice(0, from), ...programs.slice(from + size)];
      if (!rest.length || !(await attempt({ programs: rest, setting }))) from += size;
    }
  }
}

async function plainerSetting(best: () => Case, attempt: (c: Case) => Promise<boolean>): Promise<void> {
  const plainer: Partial<Setting>[] = [
    { backend: "wasm" },
    { collect: false },
    { donate: false },
    { bound: false },
    { threads: 1 },
  ];
  for (const change of plainer) {
    const { programs, setting } = best();
    const next = { ...setting, ...change };
    if (JSON.stringify(next) !== JSON.stringify(setting)) await attempt({ programs, setting: next });
  }
}

function* fewerResults(p: Program): Generator<Program> {
  if (p.outputs.length > 1) for (const id of p.outputs) yield prune({ ...p, outputs: [id] });
  const states = p.inputs.filter((i) => i.role === "state");
  const without = (i: Input): Input => ({
    id: i.id,
    shape: i.shape,
    dtype: i.dtype,
    values: i.values,
    role: "argument",
  });
  if (states.length > 1 || (states.length && p.outputs.length))
    yield prune({ ...p, inputs: p.inputs.map((i) => (i.role === "state" ? without(i) : i)) });
  for (const s of states) yield prune({ ...p, inputs: p.inputs.map((i) => (i === s ? without(i) : i)) });
  if (states.length && p.outputs.length) yield prune({ ...p, outputs: [] });
  if (p.outputs.length > 1)
    for (const id of p.outputs) yield prune({ ...p, outputs: p.outputs.filter((o) => o !== id) });
  for (const c of p.inputs)
    if (c.role === "capture")
      yield { ...p, inputs: p.inputs.map((i) => (i === c ? { ...i, role: "argument" as const } : i)) };
}

/** An argument with values renamed. */
function renamed(a: Arg, from: number, to: number): Arg {
  if (isRef(a)) return a.$ === from ? { $: to } : a;
  if (Array.isArray(a)) return a.map((x) => renamed(x, from, to));
  if (typeof a !== "object" || a === null) return a;
  return Object.fromEntries(Object.entries(a).map(([k, x]) => [k, renamed(x, from, to)]));
}
function renamedNodes(nodes: readonly Node[], from: number, to: number): Node[] {
  return nodes.map((n) => ({
    ...n,
    args: n.args.map((a) => renamed(a, from, to)),
    ...(n.blocks ? { blocks: n.blocks.map((b) => renamedBlock(b, from, to)) } : {}),
  }));
}
const renamedBlock = (b: Block, from: number, to: number): Block => ({
  params: b.params,
  nodes: renamedNodes(b.nodes, from, to),
  result: renamed(b.result, from, to),
});

/** Removes an operation: its result becomes an input, or one of its arguments. */
function* fewerNodes(p: Program): Generator<Program> {
  const envs = [0, 1].map((moment) => {
    const env = inputTensors(p, moment);
    try {
      runNodes(p.nodes, env);
    } catch {
      // Candidates that need the values are left out.
    }
    return env;
  });
  const replaced = (from: number, to: number): Program => ({
    ...p,
    inputs: p.inputs.map((i) => (i.next === from ? { ...i, next: to } : i)),
    nodes: renamedNodes(p.nodes, from, to),
    outputs: p.outputs.map((id) => (id === from ? to : id)),
  });
  for (const n of [...p.nodes].reverse()) {
    const values = n.outs.map((out) => envs.map((env) => env.get(out.id)));
    for (const [k, { id }] of n.outs.entries()) {
      const t = values[k][0];
      if (!t) continue;
      const same = refsOf(n.args as Arg).find((a) => {
        const s = envs[0].get(a);
        return s && s.dtype === t.dtype && String(s.shape) === String(t.shape);
      });
      if (same !== undefined) yield prune(replaced(id, same));
    }
    if (
      n.outs.every((_, k) => values[k].every(Boolean)) &&
      n.outs.length <= 4 &&
      !n.outs.some(
        (out) =>
          p.outputs.includes(out.id) &&
          p.outputs.length === 1 &&
          n.outs.length === 1 &&
          p.nodes[p.nodes.length - 1] === n,
      )
    ) {
      let next = p;
      n.outs.forEach(({ id }, k) => {
        const [a, b] = values[k].map((t) => copyOf(t!));
        const input: Input = {
          id,
          shape: a.shape,
          dtype: a.dtype,
          values: [Array.from(a.data), Array.from(b.data)],
          role: "argument",
        };
        next = { ...next, inputs: [...next.inputs, input] };
      });
      yield prune({ ...next, nodes: next.nodes.filter((m) => m !== n) });
    }
    // Inside functions: an operation's result becomes one of its arguments, whatever the shapes; invalid programs are refused.
    for (const [k, block] of (n.blocks ?? []).entries())
      for (const variant of fewerInside(block))
        yield prune({
          ...p,
          nodes: p.nodes.map((m) =>
            m === n ? { ...n, blocks: n.blocks!.map((b, i) => (i === k ? variant : b)) } : m,
          ),
        });
  }
}

function* fewerInside(block: Block): Generator<Block> {
  for (const n of [...block.nodes].reverse()) {
    for (const { id } of n.outs)
      for (const to of new Set(refsOf(n.args as Arg))) {
        const smaller = renamedBlock(
          { ...block, nodes: n.outs.length === 1 ? block.nodes.filter((m) => m !== n) : block.nodes },
          id,
          to,
        );
        yield smaller;
      }
    for (const [k, inner] of (n.blocks ?? []).entries())
      for (const variant of fewerInside(inner))
        yield {
          ...block,
          nodes: block.nodes.map((m) =>
            m === n ? { ...n, blocks: n.blocks!.map((b, i) => (i === k ? variant : b)) } : m,
          ),
        };
  }
}

/** Replaces one extent by another: in inputs, and wherever that number occurs in a list of an argument. */
function* smallerExtents(p: Program): Generator<Program> {
  const extents = [...new Set(p.inputs.flatMap((i) => i.shape))].filter((d) => d > 1).sort((a, b) => b - a);
  const resized = (i: Input, from: number, to: number, only?: number): Input => {
    const shape = i.shape.map((d, axis) => (d === from && (only === undefined || only === axis) ? to : d));
    const size = shape.reduce((n, d) => n * d, 1);
    return {
      ...i,
      shape,
      values: i.values.map((v) => Array.from({ length: size }, (_, k) => v[k % Math.max(1, v.length)] ?? 0)),
    };
  };
  const numbers = (a: Arg, from: number, to: number): Arg =>
    isRef(a)
      ? a
      : Array.isArray(a)
        ? a.map((x) => (x === from ? to : numbers(x, from, to)))
        : typeof a === "object" && a !== null
          ? Object.fromEntries(Object.entries(a).map(([k, x]) => [k, x === from ? to : numbers(x, from, to)]))
          : a;
  const inNodes = (nodes: readonly Node[], from: number, to: number): Node[] =>
    nodes.map((n) => ({
      ...n,
      args: n.args.map((a) => numbers(a, from, to)),
      ...(n.blocks ? { blocks: n.blocks.map((b) => ({ ...b, nodes: inNodes(b.nodes, from, to) })) } : {}),
    }));
  for (const from of extents)
    for (const to of [1, 2, 3, Math.floor(from / 2), from - 1].filter(
      (d, i, l) => d < from && d > 0 && l.indexOf(d) === i,
    )) {
      yield { ...p, inputs: p.inputs.map((i) => resized(i, from, to)), nodes: inNodes(p.nodes, from, to) };
      yield { ...p, inputs: p.inputs.map((i) => resized(i, from, to)) };
    }
  for (const i of p.inputs)
    for (const [axis, d] of i.shape.entries())
      if (d > 1) yield { ...p, inputs: p.inputs.map((j) => (j === i ? resized(i, d, 1, axis) : j)) };
}

/** Simpler numbers, the simplest first; only simpler than before, so that shrinking terminates. */
function* plainerValues(p: Program): Generator<Program> {
  // The same values at both calls, so that the first one fails.
  for (const moment of [1, 0])
    if (p.inputs.some((i) => i.values[0].some((v, k) => !Object.is(v, i.values[1][k]))))
      yield { ...p, inputs: p.inputs.map((i) => ({ ...i, values: [i.values[moment], i.values[moment]] })) };
  for (const i of p.inputs) {
    const forms: ((v: number, k: number, moment: number) => number)[] = [
      () => 1,
      (_, k) => (i.dtype === "bool" ? k % 2 : i.dtype === "u8" ? (k + 1) % 256 : k + 1),
      (v) => (Number.isFinite(v) ? Math.trunc(v) : v),
      (_, k) => i.values[0][k],
    ];
    for (const f of forms) {
      const values = i.values.map((vs, m) => vs.map((v, k) => f(v, k, m)));
      if (values.every((vs, m) => vs.every((v, k) => Object.is(v, i.values[m][k])))) break;
      yield { ...p, inputs: p.inputs.map((j) => (j === i ? { ...i, values } : j)) };
    }
  }
}
