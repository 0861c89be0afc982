/** `@reins/algorithms`: one file an algorithm. */
import type { AlgorithmMaker, OptionTable } from "@reins/core";
import { dqn, rainbow } from "./dqn.ts";
import { ppo } from "./ppo.ts";

export { dqn, ppo, rainbow };
export * from "./tuned/index.ts";

/** Every algorithm by name. */
export const algorithms: { readonly [name: string]: AlgorithmMaker<OptionTable> } = Object.fromEntries(
  [ppo, dqn, rainbow].map((maker) => [maker.definition.name, maker as unknown as AlgorithmMaker<OptionTable>]),
);
