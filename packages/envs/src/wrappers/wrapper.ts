import type { EnvSpec, Parts, Rendering, Snapshot, VectorEnv, VectorResetOptions } from "@reins/core";
import { restore, save } from "@reins/core/snapshots";
import { fittingLabels } from "@reins/core/spaces";
import { matchLeaves, type Tensor, type Tree, tensor } from "@reins/tensor";

/** Columns that a wrapper replaces. */
export interface ReplacedColumns {
  readonly spec?: Partial<EnvSpec>;
  readonly observation?: Tree;
  readonly final?: Tree;
  readonly reward?: Tensor;
}

/**
 * An environment around another one. It has the inner one's columns except for those it replaces, and never
 * changes `ended`: returns stay those of the environment itself. A subclass defines what happens before and after
 * a step; its own state is in `parts`.
 */
export abstract class Wrapper implements VectorEnv {
  readonly inner: VectorEnv;
  readonly spec: EnvSpec;
  readonly rows: number;
  readonly savable?: boolean;
  readonly observation: Tree;
  readonly final: Tree;
  readonly reward: Tensor;
  readonly terminated: Tensor;
  readonly truncated: Tensor;
  readonly mask?: Tree;
  readonly finalMask?: Tree;
  readonly alive?: Tensor;
  readonly begins?: Tensor;
  readonly global?: Tree;
  readonly finalGlobal?: Tree;
  readonly ended: { readonly return: Float64Array; readonly length: Int32Array };
  readonly render?: (row: number) => string;
  readonly picture?: (row: number) => Rendering;
  pending: Promise<void> | undefined;

  constructor(inner: VectorEnv, replaced: ReplacedColumns = {}) {
    this.inner = inner;
    this.spec = specOf(inner.spec, replaced);
    this.rows = inner.rows;
    if (inner.savable !== undefined) this.savable = inner.savable;
    this.observation = replaced.observation ?? inner.observation;
    this.final = replaced.final ?? inner.final;
    this.reward = replaced.reward ?? inner.reward;
    this.terminated = inner.terminated;
    this.truncated = inner.truncated;
    if (inner.mask) this.mask = inner.mask;
    if (inner.finalMask) this.finalMask = inner.finalMask;
    if (inner.alive) this.alive = inner.alive;
    if (inner.begins) this.begins = inner.begins;
    if (inner.global) this.global = inner.global;
    if (inner.finalGlobal) this.finalGlobal = inner.finalGlobal;
    this.ended = inner.ended;
    if (inner.render) this.render = (row) => inner.render!(row);
    if (inner.picture) this.picture = (row) => inner.picture!(row);
  }

  /** The wrapper's own state, besides the inner environment. */
  protected parts(): Parts {
    return {};
  }

  /** The actions for the inner environment. */
  protected before(action: Tree): Tree {
    return action;
  }

  /** After a step of the inner environment. */
  protected after(_action: Tree): void {}

  /** After a reset of the inner environment. */
  protected begun(_options: VectorResetOptions): void {}

  reset(options: VectorResetOptions = {}): void {
    this.inner.reset(options);
    if (this.inner.pending) this.wait(this.inner.pending, undefined, options);
    else this.begun(options);
  }

  step(action: Tree): void {
    this.inner.step(this.before(action));
    if (this.inner.pending) this.wait(this.inner.pending, action);
    else this.after(action);
  }

  /** Runs the code after a reset, or after a step with an action, once the inner environment has replied. */
  private wait(inner: Promise<void>, action: Tree | undefined, options: VectorResetOptions = {}): void {
    const pending = inner.then(() => (action === undefined ? this.begun(options) : this.after(action)));
    this.pending = pending;
    // A rejection before it is awaited must not crash the process.
    pending.catch(() => {});
  }

  save(): Snapshot {
    return { inner: this.inner.save(), own: save(this.parts()) };
  }

  restore(from: Snapshot): void {
    const { inner, own } = from as { inner: Snapshot; own: Snapshot };
    this.inner.restore(inner);
    restore(this.parts(), own);
  }

  close(): void {
    this.inner.close?.();
  }
}

/** The spec with replacements. The reward of goals is unknown if observations or rewards are replaced. */
function specOf(inner: EnvSpec, { spec, observation, reward }: ReplacedColumns): EnvSpec {
  if (!inner.goals || !(observation || reward)) return spec ? labelled({ ...inner, ...spec }) : inner;
  const { goals: _, ...rest } = inner;
  return labelled({ ...rest, ...spec });
}

/** The spec without labels of spaces whose size has changed. */
function labelled({ labels, ...spec }: EnvSpec): EnvSpec {
  const fitting = (["observation", "action"] as const).flatMap((part) => {
    const found = fittingLabels(spec[part], labels?.[part]);
    return found ? [[part, found] as const] : [];
  });
  return fitting.length > 0 ? { ...spec, labels: Object.fromEntries(fitting) } : spec;
}

/** A column of the same type and shape. */
export function emptyLike(column: Tensor): Tensor {
  return tensor(column.data.slice().fill(0), { shape: column.shape, dtype: column.dtype });
}

/** The innermost environment. */
export function innermost(env: VectorEnv): VectorEnv {
  let inner = env;
  while (inner instanceof Wrapper) inner = inner.inner;
  return inner;
}

/**
 * Finds the tensors of trees with the structure of `like`, in its order, whatever the order of their names.
 * Allocates nothing while the tree is the same object.
 */
export function leafFinder(like: Tree, what: string): (tree: Tree) => readonly Tensor[] {
  let last: Tree;
  let found: readonly Tensor[] = [];
  return (tree) => {
    if (tree !== last) [last, found] = [tree, matchLeaves(like, tree, "step", what)];
    return found;
  };
}
