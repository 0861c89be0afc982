/** `@reins/algorithms`: one file an algorithm. */
import type { AlgorithmMaker, OptionTable } from "@reins/core";
import { dqn, rainbow } from "./dqn.ts";
import { ppo } from "./ppo.ts";
import { sac } from "./sac.ts";
import { td3 } from "./td3.ts";

export { dqn, ppo, rainbow, sac, td3 };
export * from "./tuned/index.ts";

/** Every algorithm by name. */
export const algorithms: { readonly [name: string]: AlgorithmMaker<OptionTable> } = Object.fromEntries(
  [ppo, dqn, rainbow, sac, td3].map((maker) => [maker.definition.name, maker as unknown as AlgorithmMaker<OptionTable>]),
);
