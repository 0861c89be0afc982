import { define, fail, size } from "@reins/core";
import { offPolicy } from "@reins/core/loops";
import { abs } from "@reins/tensor";
import { dqn, dqnParts } from "../dqn.ts";
import type { Comparison } from "../q/value-form.ts";
import { dqnLoss } from "./known-losses.ts";
import { applyLoss, checkLoss, type LossGraph } from "./loss-graph.ts";

/** DQN whose loss is a graph of operations, as evolved by Co-Reyes et al. (2021). */
export const graphDqn = define({
  actions: dqn.definition.actions,
  name: "graph-dqn",
  summary: "DQN with a loss given as a graph of operations.",
  paper: "Evolving Reinforcement Learning Algorithms (Co-Reyes et al., 2021)",
  options: {
    ...dqn.definition.options,
    loss: size<LossGraph>(dqnLoss, "The loss graph; DQN's own by default."),
  },
  start({ loss: graph, ...o }, context, name) {
    checkLoss(graph);
    if (o.distribution !== "none")
      fail(
        name,
        `a loss graph needs scalar values, not a ${o.distribution} distribution. Set distribution to "none".`,
      );
    const compare: Comparison = ({ nextMask, ...seen }) => {
      if (nextMask) fail(name, "a loss graph does not support action masks. Use dqn.");
      const loss = applyLoss(graph, { ...seen, q: (weights, state) => seen[weights][state]() });
      return { loss, error: abs(loss) };
    };
    return offPolicy(dqnParts({ ...o, loss: "squared" }, context, name, { compare }), context);
  },
});
