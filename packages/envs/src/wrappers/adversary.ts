import { box, type VectorEnv, type VectorResetOptions } from "@reins/core";
import { checkKeys } from "@reins/core/errors";
import { checkUsualRange } from "@reins/core/settings";
import { columns } from "@reins/core/spaces";
import type { Tensor } from "@reins/tensor";
import { boxObservation, sizeOf } from "./boxes.ts";
import { emptyLike, Wrapper } from "./wrapper.ts";

/** Input of an attack, per row. */
export interface Attackable {
  readonly observation: Tensor;
  /** Remaining norm of changes. */
  readonly left: Tensor;
}

/** Settings of {@link adversary}. */
export interface AdversaryOptions {
  /** Budget: Euclidean norm of all perturbations in one episode. */
  readonly budget: number;
  /** Perturbation of each row's observation. It is shortened to the remaining budget. */
  readonly attack: (given: Attackable) => Tensor;
}

/** Adversarial perturbations of observations, within a budget per episode. The environment itself is unchanged. */
export function adversary(env: VectorEnv, options: AdversaryOptions): VectorEnv {
  checkKeys("adversary", options, ["budget", "attack"]);
  checkUsualRange("adversary", "budget", options.budget, "nonnegative");
  return new TamperedObservation(env, options);
}

class TamperedObservation extends Wrapper {
  private readonly options: AdversaryOptions;
  /** Remaining budget of each row. */
  private readonly left: Tensor;
  private readonly width: number;

  constructor(inner: VectorEnv, options: AdversaryOptions) {
    // Perturbed observations are unbounded.
    const observation = box(boxObservation("adversary", inner.spec).shape);
    super(inner, { spec: { observation }, observation: columns(observation, inner.rows) });
    this.options = options;
    this.left = emptyLike(inner.reward);
    this.width = sizeOf(observation);
  }

  protected override parts() {
    const { observation, left } = this;
    return { observation, left };
  }

  protected override begun(_: VectorResetOptions): void {
    this.left.data.fill(this.options.budget);
    this.tamper();
  }

  protected override after(): void {
    for (let row = 0; row < this.rows; row++)
      if (this.terminated.data[row] || this.truncated.data[row] || this.begins?.data[row])
        this.left.data[row] = this.options.budget;
    this.tamper();
  }

  private tamper(): void {
    const { width, rows } = this;
    const left = this.left.data;
    const to = (this.observation as Tensor).data;
    const observation = this.inner.observation as Tensor;
    const from = observation.data;
    const change = this.options.attack({ observation, left: this.left }).data;
    const alive = this.alive?.data;
    for (let row = 0; row < rows; row++) {
      // What an agent does not act on costs nothing.
      if (alive && !alive[row]) {
        for (let i = row * width; i < (row + 1) * width; i++) to[i] = from[i];
        continue;
      }
      let squares = 0;
      for (let i = row * width; i < (row + 1) * width; i++) squares += change[i] ** 2;
      const scale = squares > left[row] ** 2 ? left[row] / Math.sqrt(squares) : 1;
      for (let i = row * width; i < (row + 1) * width; i++) to[i] = from[i] + scale * change[i];
      left[row] = Math.sqrt(Math.max(0, left[row] ** 2 - scale ** 2 * squares));
    }
  }
}
