/** `@reins/algorithms`: one file an algorithm. */
import type { AlgorithmMaker, OptionTable } from "@reins/core";
import { a2c } from "./a2c.ts";
import { adaptiveDqn, adaptivePpo, penaltyPpo } from "./adaptive.ts";
import { dqn } from "./dqn.ts";
import { grpo } from "./grpo.ts";
import { ppo } from "./ppo.ts";
import { rainbow } from "./rainbow.ts";
import { reinforce } from "./reinforce.ts";
import { sac } from "./sac.ts";
import { td3 } from "./td3.ts";

export * from "./tuned/index.ts";
export { a2c, adaptiveDqn, adaptivePpo, dqn, grpo, penaltyPpo, ppo, rainbow, reinforce, sac, td3 };

/** Every algorithm by name. */
export const algorithms: { readonly [name: string]: AlgorithmMaker<OptionTable> } = Object.fromEntries(
  [ppo, adaptivePpo, penaltyPpo, a2c, grpo, reinforce, dqn, adaptiveDqn, rainbow, sac, td3].map((maker) => [
    maker.definition.name,
    maker as unknown as AlgorithmMaker<OptionTable>,
  ]),
);
