import { gt, type Tree, treeMap, where } from "@reins/tensor";
import { globalNorm } from "./clip.ts";
import type { Optimiser, OptimiserState } from "./optimiser.ts";

/**
 * An optimiser for several sets of parameters by name, each with separate state. A set whose gradient is entirely 0 is skipped: momentum does
 * not move it, and its statistics stay. So players that learn in turns do not change while another learns.
 */
export function skipZeroGradients(optimiser: Optimiser): Optimiser {
  return {
    init(params) {
      const { step } = optimiser.init(params);
      return { step, slots: eachOf(params, (_, own) => optimiser.init(own) as Tree) as never };
    },
    update(gradients, state, params, settings) {
      const moved = eachOf(params, (name, own) => {
        const gradient = (gradients as Sets)[name];
        const before = { params: own, state: state.slots[name] as unknown as OptimiserState<Tree> };
        const after = optimiser.update(gradient, before.state, own, settings);
        const moves = gt(globalNorm(gradient), 0);
        return treeMap((now, then) => where(moves, now, then), after as Tree, before as Tree);
      }) as { [name: string]: { params: Tree; state: Tree } };
      return {
        params: eachOf(params, (name) => moved[name].params) as typeof params,
        state: { step: state.step, slots: eachOf(params, (name) => moved[name].state) as never },
      };
    },
  };
}

type Sets = { readonly [name: string]: Tree };

const eachOf = (params: Tree, make: (name: string, own: Tree) => Tree): Sets =>
  Object.fromEntries(Object.entries(params as Sets).map(([name, own]) => [name, make(name, own)]));
