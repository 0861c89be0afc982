import { define, fail, offPolicy, size } from "@reins/core";
import { abs } from "@reins/tensor";
import { dqn, dqnParts } from "../dqn.ts";
import type { Comparison } from "../q/value-form.ts";
import { dqnLoss } from "./known-losses.ts";
import { applyLoss, checkLoss, type LossGraph } from "./loss-graph.ts";

/** DQN whose loss is a graph of operations: what is evolved (Co-Reyes et al., 2021). */
export const graphDqn = define({
  actions: dqn.definition.actions,
  name: "graph-dqn",
  summary: "DQN with a loss that is given as a graph of operations.",
  paper: "Evolving Reinforcement Learning Algorithms (Co-Reyes et al., 2021)",
  options: { ...dqn.definition.options, loss: size<LossGraph>(dqnLoss, "The graph; DQN's own by default.") },
  start({ loss: graph, ...o }, context, name) {
    checkLoss(graph);
    if (o.distribution !== "none")
      fail(name, `a loss given as a graph is of values, not of a ${o.distribution} distribution.`);
    const compare: Comparison = ({ nextMask, ...seen }) => {
      if (nextMask) fail(name, "a loss given as a graph does not know of forbidden actions.");
      const loss = applyLoss(graph, { ...seen, q: (weights, state) => seen[weights][state]() });
      return { loss, error: abs(loss) };
    };
    return offPolicy(dqnParts({ ...o, loss: "squared" }, context, name, { compare }), context);
  },
});
