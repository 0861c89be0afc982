import { add, concat, lt, mul, random, square, type Tensor, tensor, zeros } from "@reins/tensor";
import type { TracedEnv } from "../env.ts";
import { box } from "../space.ts";

export type Params = { dt: Tensor };
export type State = { position: Tensor; speed: Tensor; tag: Tensor };

/** A point mass that forces push towards 0, from a random position, with noise. It terminates beyond 2; the cost is the squared distance. */
export const point: TracedEnv<Params, State> = {
  spec: { id: "Point-v0", observation: box([2]), action: box([1], -1, 1), maxSteps: 15 },
  reset: (_, rows, key) => ({
    position: random.uniform(key, [rows, 1], -1, 1),
    speed: zeros([rows, 1]),
    tag: random.randint(key, [rows], 0, 100),
  }),
  observe: (_, s) => concat([s.position, s.speed], 1),
  step: (p, s, action, key) => {
    const push = add(action as Tensor, mul(random.normal(key, s.speed.shape), 0.1));
    const speed = s.speed.add(push.mul(p.dt));
    const position = s.position.add(speed.mul(p.dt));
    const reward = square(position).sum(1).neg();
    // Another order of names than in reset: parts are matched by name.
    return { state: { tag: s.tag, speed, position }, reward, terminated: lt(4, square(position).sum(1)) };
  },
};

export const params = () => ({ dt: tensor(0.5) });
export const push = (t: number, rows: number) =>
  tensor(Array.from({ length: rows }, (_, i) => [Math.sin(t * 0.3 + i) * 1.5]));
