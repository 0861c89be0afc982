import { define, fail, offPolicy, size } from "@reins/core";
import { mean, min, random, slice, type Tensor, take } from "@reins/tensor";
import * as rows from "./options.ts";
import { criticEnsemble, squaredError } from "./q/critics.ts";
import { squashedActor } from "./sac/actors.ts";
import { followedJudges, type Verdict } from "./sac/judges.ts";
import { softParts } from "./sac/learner.ts";
import { softRows } from "./sac/rows.ts";

const options = {
  ...softRows({ updates: 20, policyEvery: 20 }),
  critics: size(10, "Critics, which all learn the same goal. More errs less and costs more (5 to 10).", {
    within: "count",
  }),
  subset: size(
    2,
    "Critics, drawn anew for each update, of which the lowest makes the goal. More is less optimistic (1 to 3).",
    { within: "count" },
  ),
  ...rows.body,
};

/** Randomized ensembled double Q-learning (Chen et al., 2021): many updates a step, kept in check by many critics. */
export const redq = define({
  name: "redq",
  summary:
    "SAC with ten critics, goals by the lower of two that are drawn, and twenty updates a step: learns from few steps, slowly.",
  paper: "Randomized Ensembled Double Q-Learning: Learning Fast Without a Model (Chen et al., 2021)",
  options,
  actions: ["box"],
  requires({ options: { critics, subset } }, name) {
    if (Number(subset) > Number(critics))
      fail(name, `subset is ${subset} and there are ${critics} critics. It can be no more than all of them.`);
  },
  parts(o, context, name) {
    const actor = squashedActor(name, context.spec, o);
    const make = { members: o.critics };
    const critics = criticEnsemble(context.spec, o, { actions: actor.size }, make);
    const judges = followedJudges({ ...o, critics, verdict: amongSome(o.subset) });
    return softParts(name, o, context, { actor, judges });
  },
  begin: offPolicy,
});

/** Goals by the lowest of so many critics, drawn for a whole minibatch; the actor climbs the mean of all. */
export const amongSome = (subset: number): Verdict => ({
  next: (values, key) => min(someOf(values, subset, key), 0),
  climbed: (values) => mean(values, 0),
  error: squaredError,
});

/** So many different entries of the first axis. */
const someOf = (values: Tensor, count: number, key: Tensor): Tensor =>
  take(values, slice(random.permutation(key, values.shape[0]), [[0, count]]));
