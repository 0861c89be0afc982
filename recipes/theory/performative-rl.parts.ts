import type { Generator } from "@reins/core/random";
import { policyIteration, type TabularMdp, tabularMdp } from "@reins/envs";
import { real } from "@reins/tensor";

/** Discount factor of leader and follower. */
export const gamma = 0.9;

/** A world where a second agent, the follower, acts too: `at(s, a, b)` gives the next states and both rewards. */
export interface World {
  readonly states: number;
  readonly actions: number;
  readonly responses: number;
  at(
    s: number,
    a: number,
    b: number,
  ): { next: Int32Array; shares: Float64Array; leader: number; follower: number };
}

/** A random world in which each triple of state, action and response has three next states. */
export function randomWorld(random: Generator, { states, actions, responses }: Omit<World, "at">): World {
  const entries = Array.from({ length: states * actions * responses }, () => {
    const shares = Float64Array.from({ length: 3 }, () => random.exponential());
    const sum = shares.reduce((x, y) => x + y);
    const next = random.permutation(states).slice(0, 3);
    return { next, shares: shares.map((x) => x / sum), leader: random.random(), follower: random.random() };
  });
  return { states, actions, responses, at: (s, a, b) => entries[(s * actions + a) * responses + b] };
}

const uniformStart = (states: number) => new Array<number>(states).fill(1 / states);

/** The follower's response to a policy: softmax of its optimal action values, with this inverse temperature. */
export function respond(
  { states, actions, responses, at }: World,
  policy: Float64Array,
  beta: number,
): Float64Array {
  const mdp = tabularMdp(
    { id: "follower", states, actions: responses, start: uniformStart(states) },
    (s, b) =>
      Array.from({ length: actions }, (_, a) => {
        const { next, shares, follower: reward } = at(s, a, b);
        return [...next].map((state, i) => ({
          probability: policy[s * actions + a] * shares[i],
          state,
          reward,
          terminated: false,
        }));
      }).flat(),
  );
  const { values } = policyIteration(mdp, { gamma });
  const out = new Float64Array(states * responses);
  for (let s = 0; s < states; s++) {
    const q = mdp.transition[s].map((outcomes) =>
      outcomes.reduce((sum, o) => sum + o.probability * (o.reward + gamma * values[o.state]), 0),
    );
    const weights = q.map((x) => real.exp(beta * (x - Math.max(...q))));
    const sum = weights.reduce((x, y) => x + y);
    weights.forEach((w, b) => {
      out[s * responses + b] = w / sum;
    });
  }
  return out;
}

/** The leader's MDP while the follower keeps its policy. */
export const induced = ({ states, actions, responses, at }: World, follower: Float64Array): TabularMdp =>
  tabularMdp({ id: "leader", states, actions, start: uniformStart(states) }, (s, a) =>
    Array.from({ length: responses }, (_, b) => {
      const { next, shares, leader: reward } = at(s, a, b);
      return [...next].map((state, i) => ({
        probability: follower[s * responses + b] * shares[i],
        state,
        reward,
        terminated: false,
      }));
    }).flat(),
  );

/**
 * The policy of the occupancy d that maximises Σ d R − λ/2 Σ d² subject to the flow of the MDP. The dual, in one number
 * h for each state, is smooth: d = max(0, R − h + γ P h) / λ. It is minimised by Newton's method with backtracking.
 */
export function regularised(
  mdp: TabularMdp,
  lambda: number,
): { policy: Float64Array; occupancy: Float64Array } {
  const { states: n, actions } = mdp;
  const rows = mdp.transition.flatMap((row, s) =>
    row.map((outcomes) => {
      const flow = new Float64Array(n);
      flow[s] = 1;
      let reward = 0;
      for (const o of outcomes) {
        flow[o.state] -= gamma * o.probability;
        reward += o.probability * o.reward;
      }
      return { flow, reward };
    }),
  );
  const occupancyAt = (h: Float64Array) =>
    Float64Array.from(
      rows,
      ({ flow, reward }) => Math.max(0, reward - flow.reduce((sum, f, i) => sum + f * h[i], 0)) / lambda,
    );
  const dual = (h: Float64Array, d: Float64Array) =>
    h.reduce((sum, x, i) => sum + mdp.start[i] * x, 0) + (lambda / 2) * d.reduce((sum, x) => sum + x * x, 0);
  let h: Float64Array = new Float64Array(n);
  let d = occupancyAt(h);
  for (let round = 0; round < 200; round++) {
    const gradient = Float64Array.from(mdp.start);
    const hessian = Array.from({ length: n }, (_, i) => {
      const row = new Float64Array(n);
      row[i] = 1e-9;
      return row;
    });
    rows.forEach(({ flow }, k) => {
      if (d[k] === 0) return;
      for (let i = 0; i < n; i++) {
        gradient[i] -= d[k] * flow[i];
        if (flow[i] !== 0) for (let j = 0; j < n; j++) hessian[i][j] += (flow[i] * flow[j]) / lambda;
      }
    });
    if (gradient.every((g) => Math.abs(g) < 1e-9)) break;
    const step = solve(hessian, gradient);
    const slope = gradient.reduce((sum, g, i) => sum + g * step[i], 0);
    const now = dual(h, d);
    for (let size = 1; size > 1e-10; size /= 2) {
      const other = h.map((x, i) => x - size * step[i]);
      const found = occupancyAt(other);
      if (dual(other, found) > now - 1e-4 * size * slope && size > 1e-9) continue;
      [h, d] = [other, found];
      break;
    }
  }
  const policy = d.map((x, k) => {
    const s = Math.floor(k / actions) * actions;
    const sum = d.subarray(s, s + actions).reduce((a, b) => a + b);
    return sum > 0 ? x / sum : 1 / actions;
  });
  return { policy, occupancy: d };
}

/** Solves a x = b for a symmetric positive definite matrix by elimination; both are overwritten. */
function solve(a: Float64Array[], b: Float64Array): Float64Array {
  const n = b.length;
  const x = b.slice();
  for (let k = 0; k < n; k++)
    for (let i = k + 1; i < n; i++) {
      const factor = a[i][k] / a[k][k];
      if (factor === 0) continue;
      for (let j = k; j < n; j++) a[i][j] -= factor * a[k][j];
      x[i] -= factor * x[k];
    }
  for (let k = n - 1; k >= 0; k--) {
    for (let j = k + 1; j < n; j++) x[k] -= a[k][j] * x[j];
    x[k] /= a[k][k];
  }
  return x;
}
