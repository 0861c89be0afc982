import type { Tree } from "@reins/tensor";
import type { CurrentPolicy } from "./algorithm.ts";
import type { EnvSpec, VectorEnv } from "./env.ts";
import { timeLimitOf } from "./env-spec.ts";
import { makeCopies, requireSteps, type StepEnvironment } from "./environment.ts";
import { checkKeys, describeValue, fail, ReinsError } from "./errors.ts";
import type { Bounds, EvaluationResult, YieldHook } from "./evaluation.ts";
import { estimate } from "./evaluations/estimate.ts";
import { proportionInterval } from "./evaluations/proportion.ts";
import { goalReached } from "./goals.ts";
import type { ActOptions } from "./policy.ts";
import { PolicyRunner } from "./policy-runner.ts";
import { checkUsualRange } from "./range.ts";
import type { Run } from "./run.ts";
import type { Space } from "./space.ts";
import { show } from "./spaces/show.ts";
import { defaultSeed, stream } from "./stream.ts";

/** Observes an evaluation without affecting it. */
export interface EvaluationObserver {
  /** Called before each step, with the observations that the policy acts on. */
  before(env: VectorEnv): void;
  /** Called after each step, with the actions that were taken. */
  after(env: VectorEnv, action: Tree): void;
}

/** Options of an evaluation. */
export interface EvaluateOptions extends ActOptions {
  /** Episodes to play; 100 by default. */
  readonly episodes?: number;
  /** Environment copies to run at once (default: the number of episodes, at most 64). */
  readonly rows?: number;
  /** Steps until an episode is cut off, if the environment sets no limit. */
  readonly maxSteps?: number;
  readonly spectator?: EvaluationObserver;
}

/**
 * The return of an agent over exactly `episodes` episodes. The number of episodes per row is fixed beforehand: counting those
 * that end first would favour short ones. Training is not affected: the evaluation has its own environments and random numbers.
 */
export function evaluate(
  agent: Run | CurrentPolicy,
  env: StepEnvironment = sourceOf(agent),
  options: EvaluateOptions = {},
): EvaluationResult {
  const playing = play(agent, env, options);
  for (;;) {
    const { done, value } = playing.next();
    if (done) return value;
    if (value) playing.throw(later(env));
  }
}

/** Asynchronous evaluation: `yieldHook` is called after every step to let other work run. */
export async function evaluateAsync(
  yieldHook: YieldHook,
  agent: Run | CurrentPolicy,
  env: StepEnvironment = sourceOf(agent),
  options: EvaluateOptions = {},
): Promise<EvaluationResult> {
  const playing = play(agent, env, options);
  try {
    for (;;) {
      const { done, value } = playing.next();
      if (done) return value;
      if (value) await value;
      const waiting = yieldHook();
      if (waiting) await waiting;
    }
  } catch (error) {
    // Close the environments that were opened.
    playing.throw(error);
    throw error;
  }
}

function* play(
  agent: Run | CurrentPolicy,
  env: StepEnvironment,
  options: EvaluateOptions,
): Generator<Promise<void> | undefined, EvaluationResult, void> {
  const { episodes = 100, seed = defaultSeed, greedy, maxSteps = 10_000 } = options;
  if (!Number.isInteger(episodes) || episodes < 1)
    fail(
      "evaluate",
      `episodes is ${describeValue(episodes)}; it must be a whole number from 1, such as 100.`,
    );
  if (options.rows !== undefined) checkUsualRange("evaluate", "rows", options.rows, "count", 64);
  checkUsualRange("evaluate", "maxSteps", maxSteps, "positive", 10_000);
  checkKeys("evaluate", options, ["episodes", "seed", "greedy", "rows", "maxSteps", "spectator"]);
  if (isRun(agent)) checkSpaces(agent.options.env.spec, env.spec);
  // An episode without an end cannot be followed by another one, so each gets its own row.
  const copies = timeLimitOf(env.spec) === undefined ? episodes : Math.min(episodes, options.rows ?? 64);
  const vector = makeCopies(env, copies);
  try {
    // Separate from training with the same seed.
    const own = stream(seed, "evaluation");
    const player = new PolicyRunner(actingOf(agent), vector, { greedy, seed: own });
    const begun = player.reset(own);
    if (begun) yield begun;
    // An agent that has left waits for the next episode, at most as long as one takes.
    const wait = vector.rows > copies ? 2 : 1;
    const longest = timeLimitOf(vector.spec);
    const limit = longest === undefined ? maxSteps : wait * longest;
    return yield* collect(player, { copies, episodes, limit, spectator: options.spectator });
  } finally {
    vector.close?.();
  }
}

/** How many episodes run in how many copies, their maximum length, and the spectator. */
interface Quota {
  readonly copies: number;
  readonly episodes: number;
  readonly limit: number;
  readonly spectator: EvaluationObserver | undefined;
}

function* collect(
  player: PolicyRunner,
  { copies, episodes, limit, spectator }: Quota,
): Generator<Promise<void> | undefined, EvaluationResult, void> {
  const { env } = player;
  const agents = env.rows / copies;
  const quota = Int32Array.from({ length: env.rows }, (_, row) => {
    const copy = Math.floor(row / agents);
    return Math.floor(episodes / copies) + (copy < episodes % copies ? 1 : 0);
  });
  const offset = new Int32Array(env.rows);
  for (let i = 1; i < env.rows; i++) offset[i] = offset[i - 1] + quota[i - 1];
  const total = episodes * agents;
  const returns = new Float64Array(total);
  const lengths = new Float64Array(total);
  const played = new Int32Array(env.rows);
  const sums = new Float64Array(env.rows);
  const steps = new Int32Array(env.rows);
  const width = env.reward.size / env.rows;
  const { ended } = env;
  const { goals } = env.spec;
  let reached = 0;
  let unfinished = 0;
  for (let left = total; left > 0; ) {
    spectator?.before(env);
    const stepped = player.step();
    if (stepped) yield stepped;
    if (player.action) spectator?.after(env, player.action);
    const reward = env.reward.data;
    const terminated = env.terminated.data;
    const truncated = env.truncated.data;
    for (let i = 0; i < env.rows; i++) {
      if (played[i] >= quota[i]) continue;
      for (let k = 0; k < width; k++) sums[i] += reward[i * width + k];
      steps[i]++;
      const done = terminated[i] | truncated[i];
      if (!done && steps[i] < limit) continue;
      const at = offset[i] + played[i];
      returns[at] = done ? ended.return[i] : sums[i];
      lengths[at] = done ? ended.length[i] : steps[i];
      if (!done) unfinished++;
      if (goals && goalReached(goals, reward[i])) reached++;
      left--;
      played[i]++;
      sums[i] = 0;
      steps[i] = 0;
    }
    yield undefined;
  }
  const bounds = returnBoundsOf(env.spec);
  return {
    ...estimate(returns, bounds),
    ...(agents > 1
      ? { interval: estimate(meansOverAgents(returns, { agents, quota, offset }), bounds).interval }
      : {}),
    returns,
    lengths,
    ...(unfinished > 0 ? { unfinished } : {}),
    ...(goals ? { success: reached / total, successInterval: proportionInterval(reached, total) } : {}),
  };
}

/**
 * The mean return over agents, of each episode: agents of one episode share its luck and often its reward, so episodes are the
 * independent samples behind the confidence interval.
 */
function meansOverAgents(
  returns: Float64Array,
  { agents, quota, offset }: { agents: number; quota: Int32Array; offset: Int32Array },
): number[] {
  const means: number[] = [];
  for (let first = 0; first < quota.length; first += agents)
    for (let episode = 0; episode < quota[first]; episode++) {
      let sum = 0;
      for (let row = first; row < first + agents; row++) sum += returns[offset[row] + episode];
      means.push(sum / agents);
    }
  return means;
}

/** Lowest and highest return of an episode, if the environment declares them or its goals imply them. */
export function returnBoundsOf({
  returnBounds,
  goals,
  maxSteps = Number.POSITIVE_INFINITY,
}: EnvSpec): Bounds | undefined {
  if (returnBounds || !goals) return returnBounds;
  return [goals.reward === "sparse" ? -maxSteps : Number.NEGATIVE_INFINITY, 0];
}

/** Throws if the spaces differ from those of the training environment. Bounds may differ. */
export function checkSpaces(own: EnvSpec, other: EnvSpec): void {
  const like = (space: Space) =>
    JSON.stringify(space, (name, x) => (name === "low" || name === "high" ? undefined : x));
  for (const part of ["observation", "action"] as const)
    if (like(other[part]) !== like(own[part]))
      fail(
        "evaluate",
        `the agent was trained on ${own.id}, whose ${part} is ${show(own[part])}; ${other.id} has ${show(other[part])}. Evaluate it on an environment with the same spaces.`,
      );
}

/** Why a synchronous evaluation is impossible. */
const later = ({ spec }: StepEnvironment) =>
  new ReinsError(
    `evaluate: ${spec.id} answers asynchronously. Use await agent.evaluate(), or evaluateAsync() from reins/core/evaluations.`,
  );

function isRun(agent: Run | CurrentPolicy): agent is Run {
  return "process" in agent;
}

function actingOf(agent: Run | CurrentPolicy): CurrentPolicy {
  if (!isRun(agent)) return agent;
  return (
    agent.process.acting ??
    fail(
      "evaluate",
      `${agent.options.algorithm.name} has no policy to evaluate: it never acts in an environment.`,
    )
  );
}

/** Where the agent of a run is evaluated and rendered: its environments, with frozen statistics if they have any. */
export function placeOf(run: Run): StepEnvironment {
  const place = requireSteps(run.options.env);
  return place.evaluation ?? place;
}

function sourceOf(agent: Run | CurrentPolicy): StepEnvironment {
  return isRun(agent)
    ? placeOf(agent)
    : fail("evaluate", "the environment is missing. Pass it: evaluate(agent, env).");
}
