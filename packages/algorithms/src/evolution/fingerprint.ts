import { defaultRng } from "@reins/core/random";
import { grad, mean, type Tensor, tensor } from "@reins/tensor";
import { applyLoss, type LossGraph } from "./loss-graph.ts";

const rows = 8;
const actions = 3;

/** Fixed transitions of random numbers. */
const sample = (() => {
  const random = defaultRng(0);
  const draw = (size: number) => Float32Array.from({ length: size }, () => random.normal());
  const vector = () => tensor(draw(rows * actions), { shape: [rows, actions] });
  return {
    online: { state: vector(), next: vector() },
    target: { state: vector(), next: vector() },
    action: tensor(
      Int32Array.from({ length: rows }, () => random.integers(actions)),
      { dtype: "i32" },
    ),
    reward: tensor(draw(rows)),
    // One transition ends.
    discount: tensor(
      Float32Array.from({ length: rows }, (_, i) => (i === 0 ? 0 : 0.5 + 0.4 * random.random())),
    ),
  };
})();

/**
 * Equal for graphs with equal updates: their gradients on fixed random transitions, to three digits. Undefined for
 * graphs with zero or non-finite gradients. The paper compares losses; gradients also ignore constant offsets.
 *
 * @experimental
 */
export function fingerprint(graph: LossGraph): string | undefined {
  const { target, action, reward, discount } = sample;
  const loss = (online: typeof sample.online) =>
    mean(
      applyLoss(graph, {
        q: (weights, state) => (weights === "online" ? online : target)[state],
        action,
        reward,
        discount,
      }),
    );
  const slopes = grad(loss)(sample.online) as { state: Tensor; next: Tensor };
  const numbers = [...slopes.state.data, ...slopes.next.data];
  if (!numbers.every(Number.isFinite) || numbers.every((x) => x === 0)) return undefined;
  return numbers.map((x) => (x === 0 ? "0" : x.toPrecision(3))).join(" ");
}
