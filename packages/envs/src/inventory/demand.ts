import { defaultRng, type Seed } from "@reins/core/random";
import { real, type Tensor, tensor } from "@reins/tensor";

/** Demand histories with a Poisson number of units per period, [rows, periods]. */
export function poissonDemand(mean: number, rows: number, periods: number, seed: Seed): Tensor {
  const random = defaultRng(seed);
  const draw = () => {
    const chance = random.random();
    let units = 0;
    for (let p = real.exp(-mean), total = p; total < chance && p > 0; total += p) p *= mean / ++units;
    return units;
  };
  return tensor(Float32Array.from({ length: rows * periods }, draw), { shape: [rows, periods] });
}
