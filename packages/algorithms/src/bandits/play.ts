import {
  type ActingPolicy,
  type AlgorithmContext,
  type Discrete,
  fail,
  type Metrics,
  type Parts,
  type Started,
  type VectorEnv,
} from "@reins/core";
import { requireSynchronous } from "@reins/core/forms";
import { EpisodeMeter } from "@reins/core/loops";
import { defaultRng, type Generator, stream } from "@reins/core/random";
import { type Tree, zeros } from "@reins/tensor";
import { Regret } from "./known-arms.ts";

/** Learns which arm to pull. Every row is an independent problem with its own learner. */
export interface BanditLearner {
  /** The arm to pull next in a row, from 0. */
  choose(row: number): number;
  learn(row: number, arm: number, reward: number): void;
  /** Publishes the state that the acting policy reads; once a round. */
  publish(): void;
  /** Acts on the published state. */
  readonly policy: ActingPolicy;
  readonly weights: Tree;
  readonly parts: Parts;
}

/** Context for which a learner is created. */
export interface BanditSetup {
  readonly rows: number;
  readonly arms: number;
  readonly env: VectorEnv;
  readonly random: Generator;
}

/** Pulls arms and learns from their rewards. */
export function playBandit(
  name: string,
  { envs, round }: { readonly envs: number; readonly round: number },
  context: AlgorithmContext,
  make: (setup: BanditSetup) => BanditLearner,
): Started {
  check(name, context);
  const { spec, seed, statistics } = context;
  const env = context.env(envs);
  env.reset({ seed: stream(seed, "environments") });
  requireSynchronous(env, name);
  const random = defaultRng(stream(seed, "exploration"));
  const { n: arms, start: first } = spec.action as Discrete;
  const { rows } = env;
  const learner = make({ rows, arms, env, random });
  const regret = new Regret(env, arms);
  const action = zeros([rows], "i32");
  const meter = new EpisodeMeter();
  const counters = { steps: 0 };
  const metrics: Metrics = {};

  const pull = (): number => {
    const chosen = action.data;
    for (let row = 0; row < rows; row++) {
      const arm = learner.choose(row);
      // Before the step, because the context changes afterwards.
      regret.note(row, arm);
      chosen[row] = first + arm;
    }
    env.step(action);
    const reward = env.reward.data;
    const terminated = env.terminated.data;
    const truncated = env.truncated.data;
    let rewards = 0;
    let ended = 0;
    for (let row = 0; row < rows; row++) {
      learner.learn(row, chosen[row] - first, reward[row]);
      rewards += reward[row];
      ended |= terminated[row] | truncated[row];
    }
    if (ended) meter.observe(env);
    counters.steps += rows;
    return rewards;
  };

  learner.publish();
  return {
    get steps() {
      return counters.steps;
    },
    step() {
      const turns = Math.max(1, Math.round(round / rows));
      let rewards = 0;
      for (let t = 0; t < turns; t++) rewards += pull();
      learner.publish();
      metrics["reward/mean"] = rewards / (turns * rows);
      statistics.record("reward/mean", metrics["reward/mean"]);
      regret.report(metrics, statistics);
      meter.report(metrics, statistics);
      return metrics;
    },
    parts: {
      learner: learner.parts,
      rollout: { env, meter, counters },
      random,
      regret: regret.parts,
      weights: learner.weights,
    },
    acting: { policy: learner.policy, weights: learner.weights },
    close: () => env.close?.(),
  };
}

function check(name: string, { spec }: AlgorithmContext): void {
  const { id, agents, rewards } = spec;
  if (agents) fail(name, `${id} has ${agents.names.length} agents; ${name} supports one.`);
  if (rewards)
    fail(
      name,
      `the reward of ${id} is a vector (${rewards.join(", ")}). Combine its components into one number first.`,
    );
}
