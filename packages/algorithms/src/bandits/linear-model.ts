/** Ridge regressions of one size, each updated in O(d²) per sample: A = λ I + Σ x xᵀ, θ = A⁻¹ Σ r x. */
export class LinearModels {
  readonly features: number;
  /** A⁻¹ of each model. */
  readonly inverse: Float64Array;
  readonly sums: Float64Array;
  readonly theta: Float64Array;
  private readonly moved: Float64Array;

  constructor(count: number, features: number, ridge: number) {
    const d = features;
    this.features = d;
    this.inverse = new Float64Array(count * d * d);
    for (let m = 0; m < count; m++)
      for (let i = 0; i < d; i++) this.inverse[m * d * d + i * d + i] = 1 / ridge;
    this.sums = new Float64Array(count * d);
    this.theta = new Float64Array(count * d);
    this.moved = new Float64Array(d);
  }

  get parts() {
    const { inverse, sums, theta } = this;
    return { inverse, sums, theta };
  }

  /** θ · x */
  predict(model: number, x: Float64Array, at: number): number {
    let sum = 0;
    for (let i = 0; i < this.features; i++) sum += this.theta[model * this.features + i] * x[at + i];
    return sum;
  }

  /** xᵀ A⁻¹ x: the uncertainty in this direction. Leaves A⁻¹ x in `moved`. */
  uncertainty(model: number, x: Float64Array, at: number): number {
    const { features: d, inverse, moved } = this;
    let sum = 0;
    for (let i = 0; i < d; i++) {
      let row = 0;
      for (let j = 0; j < d; j++) row += inverse[(model * d + i) * d + j] * x[at + j];
      moved[i] = row;
      sum += row * x[at + i];
    }
    return sum;
  }

  learn(model: number, x: Float64Array, at: number, reward: number): void {
    const { features: d, inverse, moved, sums, theta } = this;
    // Sherman and Morrison (1950): the inverse after adding x xᵀ.
    const factor = 1 / (1 + this.uncertainty(model, x, at));
    for (let i = 0; i < d; i++) {
      sums[model * d + i] += reward * x[at + i];
      for (let j = 0; j < d; j++) inverse[(model * d + i) * d + j] -= factor * moved[i] * moved[j];
    }
    for (let i = 0; i < d; i++) {
      let sum = 0;
      for (let j = 0; j < d; j++) sum += inverse[(model * d + i) * d + j] * sums[model * d + j];
      theta[model * d + i] = sum;
    }
  }
}
