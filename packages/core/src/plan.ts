import { describeValue, fail } from "./errors.ts";
import { type ActingPolicy, isScoringPolicy, type Likelihood, type ScoringPolicy } from "./policy.ts";

/** Work that produces batches with the newest weights available to it. */
export interface BatchSource<B> {
  /** Makes the next batch; the plan tracks the version of the weights that made it. */
  next(): B | Promise<B>;
}

/** Batches as the learner receives them. */
export interface BatchStream<B> {
  /** The next batch; a promise if it is made remotely. */
  next(): B | Promise<B>;
  /** Notifies the source that the weights have changed. */
  publish(): void;
  /** Staleness: updates between the weights that made the last batch and the current ones. */
  readonly staleness: number;
}

/** What a plan must know to decide whether it may separate work from the learner. */
export interface PlanRequirements {
  readonly likelihood: Likelihood | "none";
  /** Whether the loss corrects for stale weights, by importance ratios or because it is off-policy. */
  readonly corrects: boolean;
}

/**
 * Where the stages of an algorithm run: in this thread, in worker threads, on other machines. An algorithm hands its sources to the plan
 * and receives batches; it does not depend on where they were made.
 */
export interface ExecutionPlan {
  readonly name: string;
  /** Maximum staleness of a batch, in updates. */
  readonly maxStaleness: number;
  place<B>(name: string, source: BatchSource<B>, demands: PlanRequirements): BatchStream<B>;
}

/** The demands of a policy and a loss on a plan. */
export const planRequirements = (
  policy: ActingPolicy | ScoringPolicy,
  corrects = false,
): PlanRequirements => ({
  likelihood: isScoringPolicy(policy) ? policy.likelihood : "none",
  corrects,
});

/** Everything in this thread, one stage after the other: batches are never stale. */
export const inline: ExecutionPlan = {
  name: "inline",
  maxStaleness: 0,
  place: (_name, source) => ({ next: () => source.next(), publish() {}, staleness: 0 }),
};

/** Returns the plan, or throws if it is not one. */
export function requirePlan(plan: unknown): ExecutionPlan {
  if (typeof plan === "object" && plan !== null && "place" in plan && typeof plan.place === "function")
    return plan as ExecutionPlan;
  return fail(
    "plan",
    `got ${describeValue(plan)}, which is not a plan. Leave the plan out, or pass \`inline\`.`,
  );
}

/** Rejects a plan under which the numbers would be wrong: stale data need exact likelihoods and a loss that uses them. */
export function admit(plan: ExecutionPlan, name: string, demands: PlanRequirements): void {
  if (plan.maxStaleness === 0) return;
  if (!demands.corrects)
    fail(
      name,
      `plan "${plan.name}" produces batches of stale weights, and the loss does not correct for that. Use the inline plan.`,
    );
  if (demands.likelihood !== "exact")
    fail(
      name,
      `plan "${plan.name}" needs a policy with exact likelihoods; this one has "${demands.likelihood}". Use the inline plan.`,
    );
}

/** Rejects a plan that distributes work, for methods that cannot. */
export function requireInline(plan: ExecutionPlan, name: string): void {
  if (plan !== inline) notHonoured(plan, name);
}

function notHonoured(plan: ExecutionPlan, name: string): never {
  return fail(name, `runs in one thread and does not support plan "${plan.name}". Use the inline plan.`);
}

/** Starts something with a plan, and throws if it did not use the plan. */
export function withPlan<T>(plan: ExecutionPlan, name: string, start: (plan: ExecutionPlan) => T): T {
  if (plan === inline) return start(plan);
  let placed = false;
  const result = start({
    ...plan,
    place(what, source, demands) {
      placed = true;
      return plan.place(what, source, demands);
    },
  });
  return placed ? result : notHonoured(plan, name);
}

/** Continues with a value that may be a promise; synchronously if it is not. */
export function whenReady<T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}
