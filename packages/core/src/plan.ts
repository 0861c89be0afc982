import { fail, said } from "./errors.ts";
import { type Acting, isScoring, type Likelihood, type Scoring } from "./policy.ts";

/** Work that makes one batch after another, with the newest weights that its place has. */
export interface BatchSource<B> {
  /** Makes the next batch; the version of the weights that made it is the plan's to know. */
  next(): B | Promise<B>;
}

/** Batches as the learner receives them. */
export interface BatchStream<B> {
  /** The next batch. A promise where it is made elsewhere. */
  next(): B | Promise<B>;
  /** Tells the source that the weights have changed. */
  publish(): void;
  /** Updates between the weights that made the last batch and those that learn from it. */
  readonly staleness: number;
}

/** What a plan must know to decide whether it may place work apart from the learner. */
export interface Demands {
  readonly likelihood: Likelihood | "none";
  /** The loss corrects for old weights, by ratios or because it is off-policy by nature. */
  readonly corrects: boolean;
}

/**
 * Where the stages of an algorithm run: here, over worker threads, over machines. An algorithm hands its sources to the plan and takes
 * batches back; it never learns where they were made.
 */
export interface Plan {
  readonly name: string;
  /** Most updates that a batch's weights may be behind. */
  readonly maxStaleness: number;
  place<B>(name: string, source: BatchSource<B>, demands: Demands): BatchStream<B>;
}

/** What a policy and a loss demand of a plan. */
export const demandsOf = (policy: Acting | Scoring, corrects = false): Demands => ({
  likelihood: isScoring(policy) ? policy.likelihood : "none",
  corrects,
});

/** Everything in this thread, one stage after the other: batches are always fresh. */
export const inline: Plan = {
  name: "inline",
  maxStaleness: 0,
  place: (_name, source) => ({ next: () => source.next(), publish() {}, staleness: 0 }),
};

/** The plan, if it is one. */
export function requirePlan(plan: unknown): Plan {
  if (typeof plan === "object" && plan !== null && "place" in plan && typeof plan.place === "function")
    return plan as Plan;
  return fail("plan", `this is ${said(plan)}, which places no work. Leave the plan out, or give \`inline\`.`);
}

/** Refuses a plan under which the numbers would be wrong: stale data need an exact likelihood and a loss that uses it. */
export function admit(plan: Plan, name: string, demands: Demands): void {
  if (plan.maxStaleness === 0) return;
  if (!demands.corrects)
    fail(name, `plan "${plan.name}" gives batches of older weights, and the loss does not correct for that.`);
  if (demands.likelihood !== "exact")
    fail(
      name,
      `plan "${plan.name}" needs a policy of exact likelihood; this one's is "${demands.likelihood}". Use the inline plan.`,
    );
}

/** Refuses a plan that would place work elsewhere, for methods that do all of it where they are. */
export function inlineOnly(plan: Plan, name: string): void {
  if (plan !== inline) notHonoured(plan, name);
}

function notHonoured(plan: Plan, name: string): never {
  return fail(
    name,
    `does all its work in one place and cannot honour plan "${plan.name}". Use the inline plan.`,
  );
}

/** Starts something with a plan, and refuses the plan if what was started placed nothing by it. */
export function honouring<T>(plan: Plan, name: string, start: (plan: Plan) => T): T {
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

/** Goes on with a value that may still be on its way; at once if it is there. */
export function whenReady<T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}
