import { define, fail, size } from "@reins/core";
import { offPolicy } from "@reins/core/loops";
import {
  add,
  expandDims,
  huber,
  linspace,
  lt,
  mean,
  mul,
  permute,
  reshape,
  slice,
  sort,
  sub,
  type Tensor,
  where,
} from "@reins/tensor";
import * as rows from "./options.ts";
import { criticEnsemble } from "./q/critics.ts";
import { squashedActor } from "./sac/actors.ts";
import { type Aggregation, type CriticTarget, targetCritics } from "./sac/critics.ts";
import { softParts } from "./sac/learner.ts";
import { softRows } from "./sac/rows.ts";
import { actorObjective } from "./sac.ts";

const options = {
  ...softRows(),
  critics: size(
    5,
    "Number of critics, each of a distribution. More reduces the error and costs more (2 to 5).",
    {
      within: "count",
    },
  ),
  atoms: size(25, "Quantiles of each critic. More is finer and costs more (10 to 50).", { within: "count" }),
  droppedAtoms: size(
    2,
    "Highest atoms dropped per critic, from all atoms pooled. More is less optimistic (0 to 5).",
    { within: "whole" },
  ),
  ...rows.body,
};

/**
 * Truncated quantile critics (Kuznetsov et al., 2020). The paper's critics have three layers of 512 units;
 * `hidden` defaults to fewer.
 *
 * @experimental
 */
export const tqc = define({
  name: "tqc",
  stability: "experimental",
  summary:
    "SAC with distributional critics whose highest atoms are dropped from TD targets: fine control of overestimation.",
  paper:
    "Controlling Overestimation Bias with Truncated Mixture of Continuous Distributional Quantile Critics (Kuznetsov et al., 2020)",
  options,
  actions: ["box"],
  requires({ options: { atoms, droppedAtoms: dropped } }, name) {
    if (Number(dropped) >= Number(atoms))
      fail(name, `droppedAtoms is ${dropped}, of ${atoms} atoms per critic. Keep at least one atom.`);
  },
  parts(o, context, name) {
    const actor = squashedActor(name, context.spec, o);
    const make = { members: o.critics, atoms: o.atoms };
    const critics = criticEnsemble(context.spec, o, { actions: actor.size }, make);
    const criticSet = targetCritics({ ...o, critics, criticTarget, aggregation: truncated(o.droppedAtoms) });
    return softParts(name, o, context, { actor, criticSet, actorObjective });
  },
  begin: offPolicy,
});

/** The critic target of SAC for every atom of the next state's distribution. */
const criticTarget: CriticTarget = ({ reward, discount }, nextActions, atoms) =>
  add(expandDims(reward, -1), mul(expandDims(discount, -1), nextActions.softValue(atoms)));

/**
 * TD targets are the pooled atoms of all critics without the highest, `droppedAtoms` per critic; the actor objective is
 * the mean of all.
 */
export const truncated = (dropped: number): Aggregation => ({
  next(values) {
    const [members, rows, atoms] = values.shape;
    const pooled = reshape(permute(values, [1, 0, 2]), [rows, members * atoms]);
    return slice(sort(pooled), [null, [0, members * (atoms - dropped)]]);
  },
  actorObjective: (values) => mean(mean(values, -1), 0),
  error: quantileError,
});

/**
 * Quantile loss of critics, [members, rows, atoms], against equally likely returns, [rows, samples]: [members,
 * rows].
 */
function quantileError(values: Tensor, target: Tensor): Tensor {
  const atoms = values.shape[2];
  // [members, rows, atoms, samples]
  const error = sub(expandDims(expandDims(target, 1), 0), expandDims(values, 3));
  const middle = linspace(0.5 / atoms, 1 - 0.5 / atoms, atoms).reshape([1, 1, atoms, 1]);
  const tilt = where(lt(error, 0), sub(1, middle), middle);
  return mean(mean(mul(tilt, huber(error)), -1), -1);
}
