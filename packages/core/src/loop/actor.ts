import { compile, random, scalar, type Tensor, type Tree } from "@reins/tensor";
import { copyRow, copyTree } from "../forms/copy.ts";
import type { View } from "../moment.ts";
import type { Act, Acting } from "../policy.ts";
import { restore, type Saved, type Snapshot, save } from "../snapshot.ts";

/** Settings of {@link Actor}. */
export interface ActorOptions {
  readonly policy: Acting;
  /** Read where they are: whoever learns changes them in place. */
  readonly weights: Tree;
  /** Columns that the policy looks at, filled by whoever plays. */
  readonly view: View;
  readonly rows: number;
  /** Root of the random numbers; without one the policy does what it thinks best. */
  readonly key?: Tensor;
}

/**
 * A policy with what it carries from step to step. Acting is one compiled call that allocates nothing; policies that run on the host are
 * simply called. The tensors it returns are the same each time, overwritten.
 */
export class Actor implements Saved {
  readonly state: Tree;
  private readonly fresh: Tree;
  /** Actions so far. */
  readonly counter = scalar(0, "i32");
  private readonly run: () => Act;

  constructor({ policy, weights, view, rows, key }: ActorOptions) {
    this.state = policy.start?.(rows) ?? {};
    this.fresh = policy.start?.(rows) ?? {};
    const { state, counter } = this;
    if (policy.host) {
      let kept: Act | undefined;
      this.run = () => {
        const acted = policy.act(weights, view, state, key && random.foldKey(key, counter));
        copyTree(state, acted.state);
        // Whoever copies results holds on to the first one's tensors.
        if (kept) copyTree(kept, acted);
        else kept = acted;
        return kept;
      };
    } else {
      const bound = compile(
        (w: Tree, v: View, s: Tree, c: Tensor, k: Tensor | undefined) =>
          policy.act(w, v, s, k && random.foldKey(k, c)),
        { name: "act", donate: [2] },
      ).bind(weights, view, state, counter, key);
      this.run = () => {
        bound.run();
        return bound.result;
      };
    }
  }

  /** Actions for what the view shows now. */
  act(): Act {
    const acted = this.run();
    this.counter.data[0]++;
    return acted;
  }

  /** Forgets what was carried, in one row or in all. */
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
