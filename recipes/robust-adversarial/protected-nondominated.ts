import { defaultRng, type Generator, stream } from "@reins/core/random";
import { type Arm, type Grid, mean, recipe, type Settings, type Trial } from "@reins/recipes";
import { real } from "@reins/tensor";
import * as parts from "./protected-nondominated.parts.ts";

const size = { states: 8, actions: 3, discount: 0.9 };
/** Rounds of the test, the deviation of a round's return, and steps of an attacker of the test. */
const [rounds, noise, attackSteps] = [400, 0.05, 60];
const grid = { policies: [2, 3, 5], rate: [1, 3, 10, 30] } as const;
const single = { learningRate: [0.3, 1, 3, 10], strength: [0.3, 0.6, 0.9] } as const;
const minimax = { learningRate: [0.3, 1, 3, 10], inner: [1, 2, 4] } as const;
/** The learning rate of arms that do not tune it. */
const usual = 3;

interface Defence {
  readonly policies: readonly parts.Table[];
  readonly rate: number;
}

/** Takes steps of policies and attacks until the budget is spent. */
interface Steps {
  readonly budget: number;
  readonly random: Generator;
  used: number;
}

const arm = <G extends Grid>(
  name: string,
  train: (settings: Settings<G>, arena: parts.Arena, steps: Steps) => Defence,
  own?: G,
): Arm => ({
  name,
  ...(own && { grid: own }),
  run({ seed, settings, budget }: Trial<G>) {
    const arena = parts.randomArena(defaultRng(stream(seed, "arena")), size);
    const steps: Steps = { budget, random: defaultRng(stream(seed, "training")), used: 0 };
    const { policies, rate } = train(settings as Settings<G>, arena, steps);
    const honest = parts.honest(arena);
    let natural = parts.indifferent(arena);
    for (let i = 0; i < attackSteps; i++)
      natural = parts.climbPolicy(arena, natural, [{ attack: honest, weight: 1 }], 5);
    const best = parts.play(arena, natural, honest).value;
    /** The strongest attack on the mean return of policies. */
    const against = (victims: readonly parts.Table[]) => {
      let attack = parts.anyNeighbour(arena);
      for (let i = 0; i < attackSteps; i++)
        attack = parts.climbAttack(
          arena,
          attack,
          victims.map((policy) => ({ policy, weight: -1 / victims.length })),
          5,
        );
      return attack;
    };
    const attacks = [
      parts.anyNeighbour(arena, defaultRng(stream(seed, "attack"))),
      against([natural]),
      against(policies),
    ];
    const random = defaultRng(stream(seed, "test"));
    const early: number[] = [];
    const [calm, attacked]: number[][] = [[], []];
    for (const attack of attacks) {
      const returns = [honest, attack].map((a) => policies.map((p) => parts.play(arena, p, a).value / best));
      const exp3 = new parts.Exp3(policies.length, rounds, rate);
      for (let t = 0; t < rounds; t++) {
        // Attacks in the first and in the third quarter, as in the authors' periodic test.
        const now = Math.floor((4 * t) / rounds) % 2 === 0 ? 1 : 0;
        const choice = random.choice(policies.length, exp3.probabilities);
        (now ? attacked : calm).push(returns[now][choice]);
        exp3.learn(choice, returns[now][choice] + random.normal(0, noise));
      }
      early.push(...returns[1]);
    }
    const values = { calm: mean(calm), attacked: mean(attacked) };
    return {
      values: { share: (values.calm + values.attacked) / 2, ...values, policies: policies.length },
      early,
      used: steps.used,
    };
  },
});

/** Trains a policy against attacks for some steps. */
function trained(
  arena: parts.Arena,
  attacks: Parameters<typeof parts.climbPolicy>[2],
  count: number,
  steps: Steps,
) {
  let policy = parts.indifferent(arena);
  for (let i = 0; i < count && steps.used < steps.budget; i++, steps.used++)
    policy = parts.climbPolicy(arena, policy, attacks, usual);
  return policy;
}

/**
 * Non-dominated policies, one after the other: the new policy and an attack both climb the gap between its return and that
 * of the best policy so far under this attack; the weights of the policies so far follow their returns.
 */
function discover(
  { policies: count, rate }: Settings<typeof grid>,
  arena: parts.Arena,
  steps: Steps,
): Defence {
  const each = Math.floor(steps.budget / (2 * count - 1));
  const policies = [trained(arena, [{ attack: parts.honest(arena), weight: 1 }], each, steps)];
  while (policies.length < count) {
    // A new policy starts from the last one, as in the authors' program.
    let [policy, attack] = [policies[policies.length - 1], parts.anyNeighbour(arena)];
    let weights = policies.map(() => 1 / policies.length);
    for (let i = 0; i < each && steps.used + 2 <= steps.budget; i++, steps.used += 2) {
      policy = parts.climbPolicy(arena, policy, [{ attack, weight: 1 }], usual);
      const victims = policies.map((p, k) => ({ policy: p, weight: -weights[k] }));
      attack = parts.climbAttack(arena, attack, [{ policy, weight: 1 }, ...victims], usual);
      const raised = policies.map((p, k) => weights[k] * real.exp(5 * parts.play(arena, p, attack).value));
      weights = raised.map((w) => w / raised.reduce((a, b) => a + b));
    }
    policies.push(policy);
  }
  return { policies, rate };
}

const share = (about: string) => ({ about, better: "higher", worst: 0, best: 1 }) as const;

export default recipe({
  id: "protected-nondominated",
  paper: "Beyond Worst-case Attacks: Robust RL with Adaptive Defense via Non-dominated Policies",
  source: "arXiv:2402.12673, umd-huang-lab/PROTECTED",
  about:
    "An attacker shows a policy wrong states. PROTECTED trains a few policies, each of which is better than all earlier ones under some attack, and chooses among them at test time with EXP3, by the returns of the episodes so far. Claimed: higher returns without an attack and as much robustness as policies for the worst case, also when attacks come and go.",
  system: arm("PROTECTED", discover),
  baselines: [
    arm(
      "worst-case policy",
      ({ learningRate, inner }: Settings<typeof minimax>, arena, steps) => {
        let [policy, attack] = [parts.indifferent(arena), parts.anyNeighbour(arena)];
        while (steps.used + 1 + inner <= steps.budget) {
          policy = parts.climbPolicy(arena, policy, [{ attack, weight: 1 }], learningRate);
          for (let i = 0; i < Math.round(inner); i++)
            attack = parts.climbAttack(arena, attack, [{ policy, weight: -1 }], learningRate);
          steps.used += 1 + Math.round(inner);
        }
        return { policies: [policy], rate: 0 };
      },
      minimax,
    ),
    arm(
      "policy for both",
      ({ learningRate, strength }: Settings<typeof single>, arena, steps) => {
        let [policy, attack] = [parts.indifferent(arena), parts.anyNeighbour(arena)];
        const honest = parts.honest(arena);
        for (; steps.used + 2 <= steps.budget; steps.used += 2) {
          policy = parts.climbPolicy(
            arena,
            policy,
            [
              { attack, weight: strength },
              { attack: honest, weight: 1 - strength },
            ],
            learningRate,
          );
          attack = parts.climbAttack(arena, attack, [{ policy, weight: -1 }], learningRate);
        }
        return { policies: [policy], rate: 0 };
      },
      single,
    ),
    arm("EXP3 over random attacks", ({ policies, rate }: Settings<typeof grid>, arena, steps) => {
      const each = Math.floor(steps.budget / policies);
      const attacks = [parts.honest(arena)];
      while (attacks.length < policies) attacks.push(parts.anyNeighbour(arena, steps.random));
      return {
        policies: attacks.map((attack) => trained(arena, [{ attack, weight: 1 }], each, steps)),
        rate,
      };
    }),
  ],
  ablations: [
    arm("PROTECTED without adaptation", (settings: Settings<typeof grid>, arena, steps) => ({
      ...discover(settings, arena, steps),
      rate: 0,
    })),
  ],
  metrics: {
    share: share(
      "return, as a share of the best without an attack; mean over rounds with and without attacks",
    ),
    calm: share("share of the best return in rounds without an attack"),
    attacked: share("share of the best return in rounds with an attack"),
  },
  claims: [
    {
      metric: "share",
      smallest: 0.01,
      because: "a hundredth of the return is worth a few policies in place of one",
      paper: "higher natural and robust returns in MuJoCo than worst-case training",
    },
    {
      metric: "calm",
      contrast: ["PROTECTED", "worst-case policy"],
      smallest: 0.02,
      because: "what robustness costs without an attack is the reason for the paper",
    },
    {
      kind: "no-worse",
      metric: "attacked",
      contrast: ["PROTECTED", "worst-case policy"],
      margin: 0.02,
      because: "the same two hundredths",
    },
  ],
  grid,
  limits: { policies: [2, 12], strength: [0, 1], inner: [1, 10], rate: [0.1, 300] },
  replicates: "arena",
  minutes: 1,
  budget: { unit: "gradient steps", full: 300, quick: 60 },
  deviations: [
    "Random MDPs with 8 states on a ring, which an attack may show as a neighbour, and exact natural gradients of tables for policies and attacks replace PPO with learned attackers in MuJoCo.",
    "A gradient step of a policy or of an attack is the unit of the budget. The gap of a new policy is measured against a mixture of the earlier ones, whose weights follow their returns, as in the authors' program.",
    "The test has 400 rounds for each of three attacks (random, strongest on a natural policy, strongest on the arm's own policies), which come in the first and third quarter. Training one policy with and without attacks is our baseline.",
  ],
  finding: (f) =>
    `Against the best baseline the share of the return changes by ${f.effect(0)}; against the worst-case policy by ${f.effect(1)} without attacks and by ${f.effect(2)} under attacks, over ${f.count} arenas.`,
});
