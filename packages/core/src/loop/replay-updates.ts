import {
  type Bound,
  compile,
  mean,
  random,
  scalar,
  scan,
  type Tensor,
  type Tree,
  treeMap,
} from "@reins/tensor";
import type { Metrics } from "../algorithm.ts";
import type { Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import { checkColumns, type Experience } from "../experience.ts";
import type { UpdateResult } from "../learner.ts";
import { draw } from "../replay/minibatch.ts";
import type { Saved, Snapshot } from "../snapshot.ts";
import type { Statistics } from "../statistics.ts";
import type { OffPolicyParts } from "./off-policy-parts.ts";

/** The metric of the effective share of a minibatch under its importance weights. */
const effectiveShare = "replay/effective";

/** The parts of an update. */
export type UpdateParts<S extends Tree> = Pick<OffPolicyParts<S>, "name" | "learner" | "batch" | "updates">;

/**
 * Updates from a replay buffer. One is one compiled call: it samples a minibatch from the buffer's columns in place, computes loss and
 * gradient, and updates weights, optimiser and target network in place. With uniform sampling, all updates of a turn are one call.
 */
export class ReplayUpdates<S extends Tree> implements Saved {
  private readonly parts: UpdateParts<S>;
  private readonly replay: Experience;
  private readonly bound: Bound<UpdateResult<S>>;
  private readonly errors: Tensor | undefined;
  private readonly names: readonly string[];
  private readonly measured: readonly Tensor[];
  /** Sums of the metrics since the last report, over this many calls. */
  private readonly sums: Float64Array;
  private calls = 0;
  /** Updates per call. */
  private readonly repeats: number;
  private readonly made = scalar(0, "i32");
  /** Updates that are due; a fraction is carried over to the next turn. */
  private owed = 0;

  constructor(parts: UpdateParts<S>, replay: Experience, state: S, key: Tensor) {
    const { name, learner, batch, updates } = parts;
    this.parts = parts;
    this.replay = replay;
    const count = typeof updates === "number" ? updates : updates.setting;
    const whole = typeof count === "number" && Number.isInteger(count);
    const repeats = whole && !replay.prepare ? Math.max(1, count) : 1;
    this.repeats = repeats;
    const once = (s: S, columns: Columns, k: Tensor): UpdateResult<S> => {
      const [drawKey, learnKey] = random.splitKey(k);
      const drawn = draw(replay, columns, batch, drawKey);
      // Checks the sampled columns, not the stored ones: a mixture stores the columns of its parts under other names.
      checkColumns(name, learner, drawn.columns);
      const improved = learner.update(s, drawn.columns, { key: learnKey, weight: drawn.weight });
      for (const [metric, { shape }] of Object.entries(improved.metrics))
        if (shape.length)
          fail(name, `metric ${metric} has shape [${shape}]; it must be one number. Take its mean.`);
      return improved;
    };
    const several = (s: S, columns: Columns, k: Tensor, n: Tensor) => {
      const body = (c: { state: S; n: Tensor }) => {
        const next = once(c.state, columns, random.foldKey(k, c.n));
        return [{ state: next.state, n: c.n.add(1) }, next.metrics] as const;
      };
      const { carry, ys } = scan(body, { state: s, n }, {}, { length: repeats });
      return { state: carry.state, metrics: treeMap((t) => mean(t), ys) };
    };
    const update = compile(
      (s: S, columns: Columns, k: Tensor, n: Tensor): UpdateResult<S> =>
        repeats > 1 ? several(s, columns, k, n) : once(s, columns, random.foldKey(k, n)),
      { name: `${name} update`, donate: [0], host: true },
    );
    this.bound = update.bind(state, replay.columns, key, this.made);
    const { metrics, errors } = this.bound.result;
    this.errors = errors;
    this.names = Object.keys(metrics);
    this.measured = Object.values(metrics);
    this.sums = new Float64Array(this.names.length);
  }

  /** Updates so far. */
  get count(): number {
    return this.made.data[0];
  }

  /** The updates of one turn. */
  turn(): void {
    const { updates } = this.parts;
    const { replay, repeats, errors, sums, measured } = this;
    if (replay.size.data[0] === 0) return;
    this.owed += typeof updates === "number" ? updates : updates.value;
    for (; this.owed >= repeats; this.owed -= repeats) {
      replay.prepare?.();
      this.bound.run();
      if (errors) replay.updatePriorities?.(errors);
      this.made.data[0] += repeats;
      for (let i = 0; i < sums.length; i++) sums[i] += measured[i].data[0];
      this.calls++;
    }
  }

  /** Records the means of the metrics since the last report. */
  report(metrics: Metrics, statistics: Statistics): void {
    const { names, sums, calls, replay } = this;
    // The first updates come once the replay buffer has enough entries.
    statistics.announce(replay.effective ? [...names, effectiveShare] : names);
    for (let i = 0; i < names.length && calls > 0; i++) {
      metrics[names[i]] = sums[i] / calls;
      statistics.record(names[i], metrics[names[i]]);
    }
    if (replay.effective && calls > 0) {
      metrics[effectiveShare] = replay.effective();
      statistics.record(effectiveShare, metrics[effectiveShare]);
    }
    metrics["replay/size"] = replay.size.data[0];
    metrics.updates = this.made.data[0];
    sums.fill(0);
    this.calls = 0;
  }

  save(): Snapshot {
    return { made: this.made.data[0], owed: this.owed, sums: this.sums.slice(), calls: this.calls };
  }

  restore(from: Snapshot): void {
    const s = from as { made: number; owed: number; sums: Float64Array; calls: number };
    this.made.data[0] = s.made;
    this.owed = s.owed;
    this.sums.set(s.sums);
    this.calls = s.calls;
  }
}
