import type { Backend } from "../backends/choose.ts";
import { scalar } from "../create.ts";
import { typedArray } from "../dtype.ts";
import { fail } from "../errors.ts";
import { heap, type Idle } from "../heap.ts";
import { interpret } from "../reference/interpret.ts";
import { sameShape, sizeOf } from "../shape.ts";
import { Storage, Tensor } from "../tensor.ts";
import { type Tree, unflattenTree } from "../tree.ts";
import { OnDevice } from "./device-binding.ts";
import { build, buildAsync, type Machine, MachineBinding } from "./machine.ts";
import type { Placement } from "./offload.ts";
import type { CompileOptions } from "./options.ts";
import type { Leaf, Traced } from "./specialise.ts";
import type { Workspace } from "./workspace.ts";

/** A traced function, ready to run on a back end. */
export interface Prepared {
  readonly traced: Traced;
  /** Runs on the given storages: arguments, captures, then results. */
  attach(inputs: readonly Storage[], outputs: readonly Storage[]): Attached;
  explain(leaves: readonly Leaf[]): string;
}

/** A traced function with fixed storages. */
export interface Attached {
  /** Whether plain calls hand over their arguments' storages instead of copying the elements into those of the binding. */
  readonly byReference?: boolean;
  run(): void;
  /** Replaces the storage of an input, and of the output that takes over its memory. */
  retarget(input: number, storage: Storage, output?: number): void;
  /** Replaces the storage of an output. Where it exists, plain calls hand over their results' storages too. */
  replace?(output: number, storage: Storage): void;
  dispose(): void;
}

export interface Binding {
  readonly result: Tree;
  run(): void;
  dispose(): void;
}

const threadsOf = (backend: Backend, options: CompileOptions) =>
  Math.min(backend.threads, options.threads ?? backend.threads);

export function prepare(
  traced: Traced,
  { backend, why }: Placement,
  options: CompileOptions,
  workspace: Workspace,
): Prepared {
  const { compiler } = backend;
  if (!compiler) return onReference(traced, options);
  return onMachine(traced, build(traced, compiler, threadsOf(backend, options), options, workspace), why);
}

/** Like `prepare`, without blocking the thread while a compiler runs. */
export async function prepareAsync(
  traced: Traced,
  { backend, why }: Placement,
  options: CompileOptions,
  workspace: Workspace,
): Promise<Prepared> {
  const { compiler } = backend;
  if (!compiler) return onReference(traced, options);
  const threads = threadsOf(backend, options);
  return onMachine(traced, await buildAsync(traced, compiler, threads, options, workspace), why);
}

function onReference(traced: Traced, options: CompileOptions): Prepared {
  return {
    traced,
    attach: (i, o) => referenceBinding(traced, !!options.check, i, o),
    explain: () => explainReference(traced),
  };
}

function onMachine(traced: Traced, machine: Machine, why?: string): Prepared {
  const prepared: Prepared = {
    traced,
    attach(i, o) {
      const { executable, plan } = machine;
      return executable.onDevice
        ? new OnDevice(traced.name, executable.onDevice, plan, i, o)
        : new MachineBinding(machine, executable, i, o);
    },
    explain: (leaves) =>
      [...(why ? [why] : []), machine.explain(() => bindTraced(prepared, copies(leaves)))].join("\n"),
  };
  return prepared;
}

/** Copies of the arguments, so that measuring does not change them. */
const copies = (leaves: readonly Leaf[]): Leaf[] =>
  leaves.map((l) =>
    l.value instanceof Tensor
      ? { path: l.path, value: new Tensor(new Storage(l.value.dtype, l.value.data.slice()), l.value.shape) }
      : l,
  );

function referenceBinding(
  traced: Traced,
  check: boolean,
  given: readonly Storage[],
  wanted: readonly Storage[],
): Attached {
  const [inputs, outputs] = [[...given], [...wanted]];
  let disposed = false;
  return {
    run() {
      if (disposed) throw new Error("This bound function was disposed. Bind it again.");
      const values = interpret(
        traced.graph,
        traced.outputs,
        inputs.map((s) => s.values),
        check,
      );
      values.forEach((v, i) => outputs[i].data.set(v.data));
    },
    retarget(input, storage, output = -1) {
      inputs[input] = storage;
      if (output >= 0) outputs[output] = storage;
    },
    dispose() {
      disposed = true;
    },
  };
}

function explainReference(traced: Traced): string {
  return `${traced.name}: ${traced.graph.nodes.length} operations, one at a time on the reference back end.`;
}

/** The tensors of the arguments; numbers become scalars. Two references to the memory of a donated tensor are an error. */
function tensorsOf(traced: Traced, leaves: readonly Leaf[]): Tensor[] {
  const tensors = leaves.map(({ value }) =>
    value instanceof Tensor ? value : scalar(Number(value), typeof value === "boolean" ? "bool" : "f32"),
  );
  for (const t of tensors) if (!t.storage) t.refuse(traced.name);
  if (traced.donated.size > 0) refuseShared(traced, leaves, tensors);
  return tensors;
}

/** Refuses donated memory that the function also reads through another tensor: it would change during the read. */
function refuseShared(traced: Traced, leaves: readonly Leaf[], tensors: readonly Tensor[]): void {
  const given = new Map<Storage, number>();
  for (const i of traced.donated) {
    const { owner } = tensors[i].storage!;
    const other = given.get(owner);
    if (other !== undefined) refuse(i, other);
    given.set(owner, i);
  }
  tensors.forEach((t, i) => {
    const donated = given.get(t.storage!.owner);
    if (donated !== undefined && !traced.donated.has(i)) refuse(donated, i);
  });
  for (const { storage } of traced.captures) {
    const i = storage && given.get(storage.owner);
    if (i === undefined) continue;
    const what = tensors[i].storage === storage ? "that tensor" : "its memory";
    fail(
      traced.name,
      `argument ${leaves[i].path} is donated, but the function also uses ${what} from outside.`,
    );
  }

  function refuse(donated: number, other: number): never {
    const same = tensors[donated].storage === tensors[other].storage;
    fail(
      traced.name,
      `argument ${leaves[donated].path} is donated and ${same ? "is the same tensor as" : "shares memory with"} argument ${leaves[other].path}. Pass a copy.`,
    );
  }
}

function outputStorages(traced: Traced, inputs: readonly Storage[]): Storage[] {
  return traced.outputs.map((n, i) => (traced.aliases[i] >= 0 ? inputs[traced.aliases[i]] : fresh(n)));
}

function fresh(n: { dtype: Storage["dtype"]; shape: readonly number[] }): Storage {
  return new Storage(n.dtype, typedArray(n.dtype, sizeOf(n.shape)));
}

/** The binding that plain calls of one traced function share: arguments are copied in, results copied out. */
class PlainCalls implements Idle {
  waiting = false;
  private busy = false;
  private readonly prepared: Prepared;
  private attached: { inputs: Storage[]; outputs: Storage[]; unit: Attached } | undefined;

  constructor(prepared: Prepared) {
    this.prepared = prepared;
  }

  call(tensors: readonly Tensor[]): Tensor[] {
    this.busy = true;
    try {
      return this.run(tensors);
    } finally {
      this.busy = false;
      heap.waits(this);
    }
  }

  private run(tensors: readonly Tensor[]): Tensor[] {
    const { traced } = this.prepared;
    const { inputs, outputs, unit } = (this.attached ??= this.attach(tensors));
    tensors.forEach((t, i) => {
      if (inputs[i] === t.storage) return;
      const output = traced.aliases.indexOf(i);
      if (output >= 0 || unit.byReference) {
        // A donated argument is used in place.
        unit.retarget(i, t.storage!, output);
        inputs[i] = t.storage!;
        if (output >= 0) outputs[output] = t.storage!;
      } else inputs[i].data.set(t.storage!.values);
    });
    unit.run();
    return traced.outputs.map((n, i) => {
      const storage = outputs[i];
      if (traced.aliases[i] >= 0) return new Tensor(storage, n.shape);
      if (!unit.replace) return new Tensor(new Storage(n.dtype, storage.values.slice()), n.shape);
      unit.replace(i, (outputs[i] = fresh(n)));
      return new Tensor(storage, n.shape);
    });
  }

  private attach(tensors: readonly Tensor[]) {
    const { traced } = this.prepared;
    const inputs = [
      ...tensors.map((t, i) => (traced.donated.has(i) && traced.aliases.includes(i) ? t.storage! : fresh(t))),
      ...traced.captures.map(captureStorage),
    ];
    const outputs = outputStorages(traced, inputs);
    return { inputs, outputs, unit: this.prepared.attach(inputs, outputs) };
  }

  /** Releases all memory that it owns. The next call allocates again. */
  relieve(): void {
    if (!this.attached || this.busy) return;
    const { inputs, outputs, unit } = this.attached;
    const { traced } = this.prepared;
    this.attached = undefined;
    unit.dispose();
    traced.outputs.forEach((_, i) => {
      if (traced.aliases[i] < 0) outputs[i].drop();
    });
    // The arguments of the last call are the caller's.
    if (unit.byReference) return;
    inputs.slice(0, inputs.length - traced.captures.length).forEach((s, i) => {
      if (!traced.aliases.includes(i)) s.drop();
    });
  }
}

const plainCalls = new WeakMap<Prepared, PlainCalls>();

export function callTraced(prepared: Prepared, leaves: readonly Leaf[]): Tree {
  const { traced } = prepared;
  const tensors = tensorsOf(traced, leaves);
  let calls = plainCalls.get(prepared);
  if (!calls) plainCalls.set(prepared, (calls = new PlainCalls(prepared)));
  const results = calls.call(tensors);
  for (const i of traced.donated) if (leaves[i].value instanceof Tensor) tensors[i].consume(traced.name);
  return unflattenTree(traced.tree, results);
}

function captureStorage(t: Tensor): Storage {
  return t.storage ?? t.refuse("compile");
}

export function bindTraced(prepared: Prepared, leaves: readonly Leaf[]): Binding {
  const { traced } = prepared;
  const tensors = tensorsOf(traced, leaves);
  const inputs = [...tensors.map((t) => t.storage!), ...traced.captures.map(captureStorage)];
  const outputs = outputStorages(traced, inputs);
  const unit = prepared.attach(inputs, outputs);
  const results = traced.outputs.map((n, i) => {
    const a = traced.aliases[i];
    return a >= 0 && sameShape(tensors[a].shape, n.shape) ? tensors[a] : new Tensor(outputs[i], n.shape);
  });
  return {
    result: unflattenTree(traced.tree, results),
    run: unit.run,
    dispose() {
      unit.dispose();
      // Results stay readable, but no longer use the heap.
      outputs.forEach((s, i) => {
        if (traced.aliases[i] < 0) s.relieve();
      });
    },
  };
}
