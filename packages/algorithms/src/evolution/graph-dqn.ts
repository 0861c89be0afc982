import { define, fail, offPolicy, size } from "@reins/core";
import { abs } from "@reins/tensor";
import { dqn, dqnParts } from "../dqn.ts";
import { dqnLoss } from "./known-losses.ts";
import { applyLoss, checkLoss, type LossGraph } from "./loss-graph.ts";

/** DQN whose loss is a graph of operations: what is evolved (Co-Reyes et al., 2021). */
export const graphDqn = define({
  actions: dqn.definition.actions,
  name: "graph-dqn",
  summary: "DQN with a loss that is given as a graph of operations.",
  paper: "Evolving Reinforcement Learning Algorithms (Co-Reyes et al., 2021)",
  options: { ...dqn.definition.options, loss: size<LossGraph>(dqnLoss, "The graph; DQN's own by default.") },
  start({ loss: graph, ...o }, context) {
    checkLoss(graph);
    if (o.distribution !== "none")
      fail("graph-dqn", `a loss given as a graph is of values, not of a ${o.distribution} distribution.`);
    const parts = dqnParts({ ...o, loss: "squared" }, context, ({ nextMask, ...seen }) => {
      if (nextMask) fail("graph-dqn", "a loss given as a graph does not know of forbidden actions.");
      const loss = applyLoss(graph, { ...seen, q: (weights, state) => seen[weights][state]() });
      return { loss, error: abs(loss) };
    });
    return offPolicy(parts, context);
  },
});
