import { define, fail, size } from "@reins/core";
import { offPolicy } from "@reins/core/loops";
import { mean, min, random, slice, type Tensor, take } from "@reins/tensor";
import * as rows from "./options.ts";
import { criticEnsemble, squaredError } from "./q/critics.ts";
import { squashedActor } from "./sac/actors.ts";
import { type Aggregation, targetCritics } from "./sac/critics.ts";
import { softParts } from "./sac/learner.ts";
import { softRows } from "./sac/rows.ts";
import { actorObjective, criticTarget } from "./sac.ts";

const options = {
  ...softRows({ updates: 20, policyEvery: 20 }),
  critics: size(
    10,
    "Number of critics, which all learn the same TD target. More reduces the error and costs more (5 to 10).",
    {
      within: "count",
    },
  ),
  subset: size(
    2,
    "Critics sampled for each update, of which the lowest makes the TD target. More is less optimistic (1 to 3).",
    { within: "count" },
  ),
  ...rows.body,
};

/** Randomized ensembled double Q-learning (Chen et al., 2021): many updates per step, stabilised by many critics. */
export const redq = define({
  name: "redq",
  summary:
    "SAC with ten critics, targets from the lower of two sampled ones, and twenty updates per step: sample-efficient, but slow to compute.",
  paper: "Randomized Ensembled Double Q-Learning: Learning Fast Without a Model (Chen et al., 2021)",
  options,
  actions: ["box"],
  requires({ options: { critics, subset } }, name) {
    if (Number(subset) > Number(critics))
      fail(
        name,
        `subset is ${subset}, but there are only ${critics} critics. Lower subset or raise critics.`,
      );
  },
  parts(o, context, name) {
    const actor = squashedActor(name, context.spec, o);
    const make = { members: o.critics };
    const critics = criticEnsemble(context.spec, o, { actions: actor.size }, make);
    const criticSet = targetCritics({ ...o, critics, criticTarget, aggregation: amongSome(o.subset) });
    return softParts(name, o, context, { actor, criticSet, actorObjective });
  },
  begin: offPolicy,
});

/**
 * TD targets from the lowest of a random subset of critics, sampled per minibatch; the actor objective is the mean
 * of all.
 */
export const amongSome = (subset: number): Aggregation => ({
  next: (values, key) => min(someOf(values, subset, key), 0),
  actorObjective: (values) => mean(values, 0),
  error: squaredError,
});

/** A random subset of the first axis, without replacement. */
const someOf = (values: Tensor, count: number, key: Tensor): Tensor =>
  take(values, slice(random.permutation(key, values.shape[0]), [[0, count]]));
