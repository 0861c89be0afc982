import { type Bound, compile, type Tree } from "@reins/tensor";
import type { RoundResult, WholeRound } from "../algorithm.ts";

/** A round that is one compiled call, unless somebody else has computed it. */
export class OneCall implements WholeRound {
  readonly name: string;
  readonly fn: WholeRound["fn"];
  readonly changed: readonly Tree[];
  readonly read: readonly Tree[];
  /** What the last round measured. */
  metrics: RoundResult["metrics"] = {};
  private bound: Bound<RoundResult & Tree> | undefined;
  private done = false;

  constructor({ name, fn, changed, read }: Omit<WholeRound, "computed">) {
    this.name = name;
    this.fn = fn;
    this.changed = changed;
    this.read = read;
  }

  run(): void {
    const { name, fn, changed, read, done } = this;
    this.done = false;
    if (done) return;
    // Compiled when it is first needed: never, if others compute it.
    this.bound ??= compile((c: readonly Tree[], r: readonly Tree[]) => fn(c, r) as RoundResult & Tree, {
      name,
      donate: [0],
    }).bind(changed, read);
    this.bound.run();
    this.metrics = this.bound.result.metrics;
  }

  computed(metrics: RoundResult["metrics"]): void {
    this.metrics = metrics;
    this.done = true;
  }
}
