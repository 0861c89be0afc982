import {
  type Backend,
  chooseBackend,
  chooseBackendAsync,
  mayUseGpu,
  runsOnDevice,
} from "../backends/choose.ts";
import { fail } from "../errors.ts";
import { currentGraph } from "../graph.ts";
import { asTensor } from "../ops/check.ts";
import { measured } from "../profile.ts";
import type { Tensor } from "../tensor.ts";
import { mapTree, type Tree } from "../tree.ts";
import { type Binding, bindTraced, callTraced, type Prepared, prepare, prepareAsync } from "./execute.ts";
import { announced } from "./listeners.ts";
import { precisionOf } from "./machine.ts";
import { type Placement, placement } from "./offload.ts";
import type { CompileOptions } from "./options.ts";
import { flatten, type Leaf, type Traced, trace } from "./specialise.ts";
import { Workspace } from "./workspace.ts";

/** Arguments of a function, with numbers accepted for tensors. */
export type TensorArgument<T> = Tree extends T
  ? T
  : T extends Tensor
    ? Tensor | number | boolean
    : T extends object
      ? { readonly [K in keyof T]: TensorArgument<T[K]> }
      : T;

/** The arguments of a compiled function: as declared, or with numbers for tensors. */
export type Arguments<A extends unknown[]> = A | { [K in keyof A]: TensorArgument<A[K]> };

/** A compiled function: call it, bind it for a hot loop, or explain its plan. */
export interface Compiled<A extends unknown[], R> {
  /** Computes new results. The first call with new shapes traces and compiles. */
  (...args: Arguments<A>): R;
  /**
   * Compiles for arguments of these shapes without blocking the thread, so that a page or server stays responsive and several
   * functions compile in parallel. Later calls and `bind` with such arguments find the function ready. Nothing is computed.
   */
  ready(...args: Arguments<A>): Promise<void>;
  /** Fixes the storage of arguments and results: `run()` then costs one host call and does not allocate. */
  bind(...args: Arguments<A>): Bound<R>;
  /** The plan for these arguments as text: kernels, fused operations, bytes, FLOP and times. */
  explain(...args: Arguments<A>): string;
}

/** A compiled function with fixed storage. Write inputs with `tensor.set()` or `tensor.data`, run, and read `result`. */
export interface Bound<R> {
  readonly result: R;
  run(): void;
  /** Releases the storage; using the bound function afterwards is an error. */
  dispose(): void;
}

/**
 * Traces `fn` once per combination of shapes and compiles it. Arguments and results are tensors in nested objects and arrays;
 * numbers become scalars whose value may change between calls. Tensors that `fn` captures are read at each call.
 */
export function compile<A extends unknown[], R extends Tree>(
  fn: (...args: A) => R,
  options: CompileOptions = {},
): Compiled<A, R> {
  const name = options.name ?? (fn.name || "compiled function");
  const cache = new Map<string, Prepared>();
  const compiling = new Map<string, Promise<void>>();
  const workspace = new Workspace();
  const backend = options.check ? "reference" : options.backend;
  const traced = (args: readonly unknown[], leaves: readonly Leaf[], device = runsOnDevice(backend)) =>
    trace(name, (list) => fn(...(list as A)), args, leaves, options.donate ?? [], {
      sites: options.check,
      device,
      fast: precisionOf(options) === "bf16" && device,
    });
  /** Traced for the back end `here`, or for the GPU if that is much faster. */
  const placed = (args: readonly unknown[], leaves: readonly Leaf[], here: Backend): [Traced, Placement] => {
    const first = traced(args, leaves);
    const found = placement(first, here, options);
    return [found.backend === here ? first : traced(args, leaves, true), found];
  };
  const find = (args: readonly unknown[]) => {
    const { leaves, signature } = flatten(name, args);
    let prepared = cache.get(signature);
    if (!prepared) {
      const make = () =>
        prepare(...placed(args, leaves, chooseBackend(backend, options.host)), options, workspace);
      prepared = announced(name, () => measured("compile", name, make));
      cache.set(signature, prepared);
    }
    return { prepared, leaves };
  };
  const begin = async (args: readonly unknown[], leaves: readonly Leaf[], signature: string) => {
    // Traced before the first await: the arguments may be donated meanwhile.
    const chosen = mayUseGpu(backend) && placed(args, leaves, chooseBackend(backend, options.host));
    const [trace, on] = chosen || [
      traced(args, leaves),
      { backend: await chooseBackendAsync(backend, options.host) },
    ];
    const prepared = await prepareAsync(trace, on, options, workspace);
    // A synchronous call may have compiled it first.
    if (!cache.has(signature)) cache.set(signature, prepared);
  };
  const call = (...args: unknown[]): R => {
    // Inside another traced function, a compiled function is inlined.
    if (currentGraph()) return fn(...(mapTree(args, (leaf) => asTensor(leaf as Tensor, name)) as A));
    const { prepared, leaves } = find(args);
    return callTraced(prepared, leaves) as R;
  };
  return Object.assign(call, {
    ready: async (...args: unknown[]): Promise<void> => {
      if (currentGraph())
        fail(name, "ready() was called inside a traced function. Await it before the trace.");
      const { leaves, signature } = flatten(name, args);
      if (cache.has(signature)) return;
      let work = compiling.get(signature);
      if (!work) {
        work = begin(args, leaves, signature).finally(() => compiling.delete(signature));
        compiling.set(signature, work);
      }
      await work;
    },
    bind: (...args: unknown[]): Bound<R> => {
      if (currentGraph())
        fail(name, "bind() was called inside a traced function. Bind and run it outside of the trace.");
      const { prepared, leaves } = find(args);
      return bindTraced(prepared, leaves) as Binding & Bound<R>;
    },
    explain: (...args: unknown[]): string => {
      const { prepared, leaves } = find(args);
      return prepared.explain(leaves);
    },
  });
}
