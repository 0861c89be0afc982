import { type Bound, compile, type Tree } from "@reins/tensor";
import type { CompiledRound, RoundResult } from "../algorithm.ts";

/** A round that is one compiled call, unless another call has computed it. */
export class OneCall implements CompiledRound {
  readonly name: string;
  readonly fn: CompiledRound["fn"];
  readonly form: () => number;
  readonly batchable: boolean;
  readonly changed: readonly Tree[];
  readonly read: readonly Tree[];
  /** Metrics of the last round. */
  metrics: RoundResult["metrics"] = {};
  private readonly bound = new Map<number, Bound<RoundResult & Tree>>();
  private done = false;

  constructor({
    name,
    fn,
    form = () => 0,
    batchable = true,
    changed,
    read,
  }: Omit<CompiledRound, "computed">) {
    this.name = name;
    this.fn = fn;
    this.form = form;
    this.batchable = batchable;
    this.changed = changed;
    this.read = read;
  }

  run(): void {
    const { done } = this;
    this.done = false;
    if (done) return;
    const call = this.call();
    call.run();
    this.metrics = call.result.metrics;
  }

  /** Compiled on first use: never, if other calls compute the round. */
  private call(): Bound<RoundResult & Tree> {
    const { name, fn, changed, read, bound } = this;
    const form = this.form();
    const known = bound.get(form);
    if (known) return known;
    const made = compile((c: readonly Tree[], r: readonly Tree[]) => fn(c, r) as RoundResult & Tree, {
      name,
      donate: [0],
    }).bind(changed, read);
    bound.set(form, made);
    return made;
  }

  computed(metrics: RoundResult["metrics"]): void {
    this.metrics = metrics;
    this.done = true;
  }
}
