import { box, discrete, type EnvSpec, type MultiEnv, type Policy, type PolicyInput } from "@reins/core";
import { vectoriseMulti } from "@reins/core/forms";
import { onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { type ActorCriticWeights, actorCritic } from "@reins/core/policies";
import { defaultRng } from "@reins/core/random";
import * as targets from "@reins/core/targets";
import { adam, type MlpParams, mlp } from "@reins/nn";
import { random, setBackend, squeeze, type Tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

setBackend("wasm");

const spec: EnvSpec = {
  id: "Barn-v0",
  observation: box([1]),
  action: discrete(2),
  agents: { names: ["a", "b", "c"], order: "parallel" },
  maxSteps: 6,
};

/** Workers that come and go. The reward of each is the number of those who work; none observes who is present. */
function barn(): MultiEnv {
  const rng = defaultRng(0);
  let here = [true, true, true];
  const draw = () => {
    here = here.map(() => rng.random() < 0.5);
    if (!here.includes(true)) here[rng.integers(0, 3)] = true;
  };
  const see = () => here.map((there) => (there ? [1] : null));
  return {
    spec,
    globalSpace: box([3], 0, 1),
    global: () => here.map(Number),
    reset({ seed } = {}) {
      if (seed !== undefined) rng.restore(defaultRng(seed).save());
      draw();
      return { observations: see() };
    },
    step(actions) {
      const coins = actions.filter((a) => a === 1).length;
      const before = here;
      draw();
      return {
        observations: see(),
        rewards: before.map((there) => (there ? coins : 0)),
        terminated: before.map((there, i) => there && !here[i]),
        truncated: [false, false, false],
        over: false,
      };
    },
    save: () => ({ here: here.map(Number), rng: rng.save() }),
    restore(from) {
      const s = from as { here: number[]; rng: Uint32Array };
      here = s.here.map(Boolean);
      rng.restore(s.rng);
    },
  };
}

type Weights = { actor: ActorCriticWeights; critic: MlpParams };
/** Acts on an agent's observation; its critic sees the global state. Without a critic it still acts. */
function central(): Policy<Weights> {
  const actor = actorCritic(spec, { hidden: [8], critic: false });
  const critic = mlp({ inputs: 3, hidden: [16], outputs: 1 });
  const value = ({ critic: w }: Weights, view: PolicyInput) =>
    squeeze(critic.apply(w, view.global as Tensor), -1);
  return {
    likelihood: "exact",
    init(key) {
      const [a, c] = random.splitKey(key);
      return { actor: actor.init(a), critic: critic.init(c) };
    },
    act: (w, view, state, key) => ({
      ...actor.act(w.actor, view, state, key),
      ...(view.global ? { value: value(w, view) } : {}),
    }),
    score: (w, moment) => ({ ...actor.score(w.actor, moment), value: value(w, moment.view) }),
    value,
  };
}

const hands = (policy: Policy) => () =>
  runOf((context) =>
    onPolicy(
      {
        name: "hands",
        policy,
        target: targets.gae({ gamma: 0.2, lambda: 0.9 }),
        loss: losses.sum(losses.policyGradient({ ratio: losses.clipped(0.2) }), losses.valueError()),
        optimiser: adam(),
        learningRate: 0.02,
        envs: 48,
        steps: 8,
        epochs: 4,
        minibatches: 2,
        normalise: "minibatch",
      },
      { ...context, env: (rows) => vectoriseMulti(barn, rows / 3) },
    ),
  );

it("a central critic sees the global state, which no agent observes", async () => {
  const seeing = await expectResumes(hands(central()));
  const blind = hands(actorCritic(spec, { hidden: [16] }))();
  for (let i = 0; i < 40; i++) for (const run of [seeing, blind]) await run.round();
  // All work by now: the reward depends only on the number of agents.
  expect(seeing.metrics["policy/entropy"]).toBeLessThan(0.1);
  expect(seeing.metrics["loss/value"]).toBeLessThan(blind.metrics["loss/value"] / 2);
});
