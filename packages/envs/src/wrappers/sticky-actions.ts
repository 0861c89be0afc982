import type { VectorEnv, VectorResetOptions } from "@reins/core";
import { checkUsualRange } from "@reins/core/settings";
import { columns } from "@reins/core/spaces";
import { leaves, type Tensor, type Tree } from "@reins/tensor";
import { RowStreams } from "./row-streams.ts";
import { leafFinder, Wrapper } from "./wrapper.ts";

/**
 * With this probability the environment repeats the previous action instead of the new one. Machado et al.,
 * "Revisiting the Arcade Learning Environment" (2018).
 */
export function stickyActions(env: VectorEnv, probability = 0.25): VectorEnv {
  return new StickyActions(env, probability);
}

class StickyActions extends Wrapper {
  private readonly probability: number;
  private readonly streams: RowStreams;
  private readonly action: Tree;
  private readonly kept: readonly Tensor[];
  private readonly given: (action: Tree) => readonly Tensor[];
  /** Whether a row has taken an action in its episode. */
  private readonly acted: Uint8Array;

  constructor(inner: VectorEnv, probability: number) {
    checkUsualRange("stickyActions", "the probability", probability, "share", 0.25);
    super(inner);
    this.probability = probability;
    this.streams = new RowStreams(inner, "stickyActions");
    this.action = columns(inner.spec.action, inner.rows);
    this.kept = leaves(this.action);
    this.given = leafFinder(this.action, "the action");
    this.acted = new Uint8Array(inner.rows);
  }

  protected override parts() {
    const { streams, action, acted } = this;
    return { streams, action, acted };
  }

  protected override begun(options: VectorResetOptions): void {
    this.streams.seed(options.seed);
    this.acted.fill(0);
  }

  protected override before(action: Tree): Tree {
    const { kept } = this;
    const given = this.given(action);
    const alive = this.alive?.data;
    for (let row = 0; row < this.rows; row++) {
      // Drawn in every step, so that a stream does not depend on where episodes end.
      const stick = this.streams.of(row).random() < this.probability;
      const acts = !alive || alive[row];
      // The previous action of an agent that waits in between is the last one that it took.
      if (this.acted[row] && (stick || !acts)) continue;
      if (acts) this.acted[row] = 1;
      for (let leaf = 0; leaf < kept.length; leaf++) {
        const width = kept[leaf].size / this.rows;
        for (let i = row * width; i < (row + 1) * width; i++) kept[leaf].data[i] = given[leaf].data[i];
      }
    }
    return this.action;
  }

  protected override after(): void {
    for (let row = 0; row < this.rows; row++)
      if (this.terminated.data[row] || this.truncated.data[row] || this.begins?.data[row])
        this.acted[row] = 0;
  }
}
