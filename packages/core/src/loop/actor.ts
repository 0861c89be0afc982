import { compile, random, scalar, type Tensor, type Tree } from "@reins/tensor";
import { copyRow, copyTree } from "../forms/copy.ts";
import type { ActingPolicy, ActionResult } from "../policy.ts";
import type { PolicyInput } from "../recorded-step.ts";
import { restore, type Saved, type Snapshot, save } from "../snapshot.ts";

/** Settings of {@link Actor}. */
export interface ActorOptions {
  readonly policy: ActingPolicy;
  /** Read in place: the learner updates them. */
  readonly weights: Tree;
  /** Columns that the policy sees, filled by the caller. */
  readonly view: PolicyInput;
  readonly rows: number;
  /** Root of the random numbers; without one the policy acts greedily. */
  readonly key?: Tensor;
}

/**
 * A policy with its recurrent state. Acting is one compiled call that allocates nothing; host policies are
 * called directly. It returns the same tensors each time, overwritten.
 */
export class Actor implements Saved {
  readonly state: Tree;
  private readonly fresh: Tree;
  /** Actions so far. */
  readonly counter = scalar(0, "i32");
  private readonly run: () => ActionResult;

  constructor({ policy, weights, view, rows, key }: ActorOptions) {
    this.state = policy.start?.(rows) ?? {};
    this.fresh = policy.start?.(rows) ?? {};
    const { state, counter } = this;
    if (policy.host) {
      let kept: ActionResult | undefined;
      this.run = () => {
        const acted = policy.act(weights, view, state, key && random.foldKey(key, counter));
        copyTree(state, acted.state);
        // Callers hold references to the tensors of the first result.
        if (kept) copyTree(kept, acted);
        else kept = acted;
        return kept;
      };
    } else {
      const bound = compile(
        (w: Tree, v: PolicyInput, s: Tree, c: Tensor, k: Tensor | undefined) =>
          policy.act(w, v, s, k && random.foldKey(k, c)),
        { name: "act", donate: [2], host: true },
      ).bind(weights, view, state, counter, key);
      this.run = () => {
        bound.run();
        return bound.result;
      };
    }
  }

  /** Actions for the current view. */
  act(): ActionResult {
    const acted = this.run();
    this.counter.data[0]++;
    return acted;
  }

  /** Resets the recurrent state, of one row or of all. */
  forget(row?: number): void {
    if (row === undefined) copyTree(this.state, this.fresh);
    else copyRow(this.state, this.fresh, row);
  }

  save(): Snapshot {
    return { state: save(this.state), counter: save(this.counter) };
  }

  restore(from: Snapshot): void {
    const s = from as { state: Snapshot; counter: Snapshot };
    restore(this.state, s.state);
    restore(this.counter, s.counter);
  }
}
