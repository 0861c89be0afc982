import {
  choice,
  type Discrete,
  define,
  fail,
  type Metrics,
  type ResolvedOptions,
  setting,
  size,
} from "@reins/core";
import { defaultRng, stream } from "@reins/core/random";
import * as signals from "@reins/core/signals";
import { zeros } from "@reins/tensor";
import { epsilon } from "./options.ts";
import { ActionValues, type Rates, tableRows } from "./tabular/action-values.ts";
import { backupOf, backupRows } from "./tabular/backup.ts";
import { type After, TablePlay } from "./tabular/play.ts";
import { countedStates } from "./tabular/state-index.ts";
import { tablePolicy } from "./tabular/table-policy.ts";

const options = {
  learningRate: setting(0.1, "Learning rate. Higher learns faster and forgets faster (0.01 to 1).", {
    within: "share",
  }),
  decay: setting(
    0,
    "Exponent by which an entry's learning rate decays with its visits. Higher averages over more visits: 0 for nearly deterministic environments, else 0.5 to 1.",
    { within: "nonnegative" },
  ),
  gamma: setting(0.99, "Discount factor. Higher looks further ahead and takes longer to learn (0.9 to 1).", {
    within: "share",
  }),
  epsilon: epsilon(signals.linear(1, 0.05, 0.8)),
  target: choice<"q" | "sarsa" | "expected">(
    "q",
    ["q", "sarsa", "expected"],
    'Bootstrap from the best next action ("q"), the chosen one ("sarsa"), or the expectation over the epsilon-greedy policy ("expected").',
  ),
  ...tableRows,
  ...backupRows,
  envs: size(
    1,
    "Parallel environments that share one table. More is faster, but each acts on older values (1 to 64).",
    { within: "count" },
  ),
  round: size(
    1000,
    "Steps per round, approximately: schedules advance once a round. Fewer follows schedules more finely and is slower (100 to 10000).",
    { within: "count" },
  ),
};
type Options = ResolvedOptions<typeof options>;

/**
 * Tabular Q-learning (Watkins, 1989), and its relatives: SARSA (Rummery and Niranjan, 1994), expected SARSA (van
 * Seijen et al., 2009), double Q-learning (van Hasselt, 2010), n-step returns and Q(λ), both cut at non-greedy
 * actions.
 */
export const tabularQ = define({
  name: "q",
  summary: "Learns a table of action values: exact and fast for small discrete state spaces.",
  paper: "Learning from Delayed Rewards (Watkins, 1989)",
  options,
  actions: ["discrete"],
  requires: ({ spec }, name) => void countedStates(name, spec),
  start(o, context) {
    checkOptions(o);
    const { spec, seed, statistics } = context;
    const states = countedStates("q", spec);
    const { n: actions } = spec.action as Discrete;
    const values = new ActionValues(states, actions, o);
    const rates: Rates = { learningRate: 0, decay: 0, gamma: 0, lambda: 0 };
    const backup = backupOf(o, values, rates);
    const random = defaultRng(stream(seed, "exploration"));
    const ahead = o.target === "sarsa";
    const cuts = o.target === "q";

    const play = new TablePlay(
      context.env(o.envs),
      {
        ahead,
        choose(state, mask, row) {
          if (random.random() >= o.epsilon.value) return values.pick(state, mask, row, random);
          const action = values.any(mask, row, random);
          if (cuts && !values.isBest(state, action, mask, row)) backup.cut(row);
          return action;
        },
        learn(row, state, action, after) {
          const which = o.double && random.random() < 0.5 ? 1 : 0;
          if (after.terminated) after.nextValue = 0;
          else value(o, values, which, after, row);
          backup.step(row, which, state * actions + action, after);
          if (after.over) backup.end(row);
        },
      },
      stream(seed, "environments"),
    );
    const weights = { value: zeros([states, actions]) };
    weights.value.data.set(values.total);
    const metrics: Metrics = {};
    const turns = Math.max(1, Math.round(o.round / o.envs));
    return {
      get steps() {
        return play.steps;
      },
      step() {
        rates.learningRate = o.learningRate.value;
        rates.decay = o.decay.value;
        rates.gamma = o.gamma.value;
        rates.lambda = o.lambda.value;
        for (let t = 0; t < turns; t++) play.step();
        weights.value.data.set(values.total);
        metrics["loss/value"] = values.meanSquare();
        metrics["policy/epsilon"] = o.epsilon.value;
        statistics.record("loss/value", metrics["loss/value"]);
        play.meter.report(metrics, statistics);
        return metrics;
      },
      parts: { values: values.parts, backup: backup.parts, rollout: play.parts, random, weights },
      acting: { policy: tablePolicy(spec, o.epsilon), weights },
      close: () => play.close(),
    };
  },
});

/**
 * Value of a non-terminal state. With two tables, the one being updated chooses the action and the other evaluates
 * it.
 */
function value(o: Options, values: ActionValues, which: number, after: After, row: number): void {
  const { state, mask } = after;
  const judge = values.tables[values.tables.length - 1 - which];
  const from = state * values.actions;
  if (o.target === "sarsa") {
    after.nextValue = judge[from + after.action];
    return;
  }
  const best = judge[from + values.best(values.tables[which], state, mask, row)];
  after.nextValue =
    o.target === "q" ? best : best + o.epsilon.value * (values.mean(judge, state, mask, row) - best);
}

function checkOptions({ traces, nStep, double }: Options): void {
  if (traces !== "none" && nStep > 1) fail("q", "traces and nStep cannot be combined. Set one of them.");
  if (traces !== "none" && double)
    fail("q", "double and traces cannot be combined: a trace belongs to one table. Use double with nStep.");
}
