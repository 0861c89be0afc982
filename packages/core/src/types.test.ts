import type { Tensor, Tree } from "@reins/tensor";
import { expectTypeOf, it } from "vitest";
import {
  type ActingPolicy,
  type ActionResult,
  type Algorithm,
  choice,
  define,
  type EnvSpec,
  type Policy,
  type PolicyInput,
  type ScoringPolicy,
  type Setting,
  setting,
  size,
} from "./index.ts";
import { type ActorCriticWeights, actorCritic } from "./policies/actor-critic.ts";
import { withActionTransform } from "./policy.ts";
import * as signals from "./signal.ts";
import type { LiveColumn, LiveTask, LiveValue } from "./signals/live.ts";

// The TypeScript compiler does the testing: a wrong type does not build.

const mine = define({
  name: "mine",
  summary: "An algorithm with an option of each kind.",
  options: {
    learningRate: setting(3e-4, "Read once a run."),
    temperature: setting(1, "Read for each task.", { per: "task" }),
    clip: setting(0.2, "Read for each token.", { per: "token" }),
    envs: size(8, "A count."),
    dueling: size(false, "A switch."),
    hidden: size<readonly number[]>([64], "Widths."),
    noise: choice("normal", ["normal", "pink"], "A word."),
  },
  start(o): never {
    expectTypeOf(o.learningRate).toEqualTypeOf<LiveValue>();
    expectTypeOf(o.temperature).toEqualTypeOf<LiveTask>();
    expectTypeOf(o.clip).toEqualTypeOf<LiveColumn>();
    expectTypeOf(o.envs).toEqualTypeOf<number>();
    expectTypeOf(o.dueling).toEqualTypeOf<boolean>();
    expectTypeOf(o.hidden).toEqualTypeOf<readonly number[]>();
    expectTypeOf(o.noise).toEqualTypeOf<"normal" | "pink">();
    // @ts-expect-error a setting that is read for each token is not a single number
    o.clip.value;
    // @ts-expect-error it is not declared
    o.lambda;
    throw new Error("It is never started.");
  },
});

it("the type of an algorithm's options follows from its table", () => {
  expectTypeOf(mine).returns.toEqualTypeOf<Algorithm>();
  type Options = NonNullable<Parameters<typeof mine>[0]>;
  expectTypeOf<Options["learningRate"]>().toEqualTypeOf<Setting | undefined>();
  expectTypeOf<Options["envs"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<Options["dueling"]>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<Options["noise"]>().toEqualTypeOf<"normal" | "pink" | undefined>();
  mine({ learningRate: signals.linear(1e-3, 0), envs: 4, dueling: true, hidden: [32, 32], noise: "pink" });
  const never = () => {
    // @ts-expect-error there is no such option
    mine({ learningrate: 1 });
    // @ts-expect-error a size is fixed: it takes no signal
    mine({ envs: signals.linear(1, 8) });
    // @ts-expect-error a setting is a number
    mine({ clip: "0.2" });
    // @ts-expect-error it is not one of the choices
    mine({ noise: "brown" });
  };
  expectTypeOf(never).toBeFunction();
});

it("a variant takes the same options", () => {
  const other = mine.with("other", { summary: "Another default.", options: { envs: 2 } });
  expectTypeOf(other).toEqualTypeOf<typeof mine>();
  const never = () => {
    // @ts-expect-error there is no such option
    mine.with("other", { summary: "A slip.", options: { env: 2 } });
  };
  expectTypeOf(never).toBeFunction();
});

it("a policy's weights and memory have their types all the way", () => {
  const policy = (spec: EnvSpec) => actorCritic(spec, { hidden: [4] });
  expectTypeOf(policy).returns.toExtend<Policy<ActorCriticWeights>>();
  interface Weights {
    readonly [name: string]: Tensor;
    readonly w: Tensor;
  }
  type Memory = readonly [Tensor];
  const fixed: Policy<Weights, Memory> = {
    likelihood: "exact",
    init: (key) => ({ w: key }),
    start: () => {
      throw new Error("It is never played.");
    },
    act(weights, view, state) {
      expectTypeOf(weights).toEqualTypeOf<Weights>();
      expectTypeOf(view.observation).toEqualTypeOf<Tree>();
      expectTypeOf(state).toEqualTypeOf<Memory>();
      return { action: weights.w, state };
    },
    score(weights, { view, state }) {
      expectTypeOf(weights).toEqualTypeOf<Weights>();
      expectTypeOf(view).toEqualTypeOf<PolicyInput>();
      expectTypeOf(state).toEqualTypeOf<Memory | undefined>();
      return { logProb: weights.w, entropy: weights.w };
    },
  };
  expectTypeOf(fixed.act).returns.toEqualTypeOf<ActionResult<Memory>>();
  expectTypeOf(withActionTransform(fixed, (action) => action)).toEqualTypeOf<Policy<Weights, Memory>>();
  expectTypeOf(fixed).toExtend<Policy<Weights, Memory>>();
  const { act: _, ...judge } = fixed;
  expectTypeOf(judge).toExtend<ScoringPolicy<Weights, Memory>>();
  // @ts-expect-error a policy needs act
  const still: Policy = judge;
  expectTypeOf(still).toExtend<Policy>();
  const { score: __, likelihood: ___, ...greedy } = fixed;
  expectTypeOf(greedy).toExtend<ActingPolicy<Weights, Memory>>();
  expectTypeOf(greedy).not.toExtend<ScoringPolicy<Weights, Memory>>();
});
