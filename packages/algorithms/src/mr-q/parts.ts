import type { LiveValue } from "@reins/core/settings";
import type * as nn from "@reins/nn";
import type { Tree } from "@reins/tensor";
import type { Actions } from "./actions.ts";
import type { Model } from "./model.ts";

/** Settings of the learner. */
export interface ModelOptions {
  readonly learningRate: LiveValue;
  readonly criticRate: LiveValue;
  readonly encoderRate: LiveValue;
  readonly smoothing: LiveValue;
  readonly smoothingLimit: LiveValue;
  readonly dynamicsWeight: LiveValue;
  readonly rewardWeight: LiveValue;
  readonly doneWeight: LiveValue;
  readonly targetEvery: number;
  readonly nStep: number;
  readonly bins: number;
}

/** The networks. */
export interface ModelNetworks {
  readonly actions: Actions;
  readonly model: Model;
  readonly actor: nn.Layer<Tree>;
  /** Two Q-values of an embedding. */
  readonly values: nn.Layer<Tree>;
}
