import { random, type Tensor, type Tree } from "@reins/tensor";
import { type BodyOptions, learningContext } from "../body.ts";
import type { EnvSpec } from "../env.ts";
import { fail } from "../errors.ts";
import { nn } from "../nn.ts";
import type { Policy } from "../policy.ts";
import type { PolicyInput, RecordedStep } from "../recorded-step.ts";
import { bodyFor } from "./custom-body.ts";
import type { HeadOptions } from "./head.ts";
import { decide, distributionFor, type NetworkOutput, scoreOf } from "./head-action.ts";
import { headFor } from "./heads.ts";
import { initialReturnScale, inScale, type ReturnScale, unitOf } from "./pop-art.ts";
import { type ValueForm, valueHeadFor } from "./value-form.ts";

/** Settings of {@link recurrentActorCritic}. */
export interface RecurrentActorCriticOptions extends HeadOptions, BodyOptions {
  /** Widths of the layers between the observation and the memory (default: none for vectors of a few numbers). */
  hidden?: readonly number[];
  activation?: nn.Activation;
  /** "gru" (default), "lstm", "mingru" (a GRU without a matrix product in its loop), "ffm" (fast and forgetful memory), "transformer", or "hcam" (hierarchical chunk attention memory). */
  kind?: "gru" | "lstm" | "mingru" | "ffm" | "transformer" | "hcam";
  /** Size of the memory, per step for a transformer (32 to 512). More remembers more and costs quadratically. */
  units?: number;
  /** Stacked layers of memory (1 to 4); 1 by default. */
  memoryLayers?: number;
  /** Transformer: context length of each layer, including the current step (16 to 256); 32 by default. */
  memorySteps?: number;
  /** Transformer: attention heads, which divide `units` (1 to 8); 4 by default. */
  memoryHeads?: number;
  /** Transformer: residual connections: gates as in GTrXL (default), or sums with normalisation before or after each half. */
  memoryJoin?: "gates" | "pre-norm" | "post-norm";
  /** HCAM: steps per chunk (4 to 32); 8 by default. */
  memoryChunk?: number;
  /** HCAM: chunks recalled at a time (1 to 16); 4 by default. */
  memoryRecall?: number;
  /** Number of critic heads; values then have one more axis (default: a single head without that axis). */
  streams?: number;
  /** The critic's outputs are in units of a running scale of returns, which `rescaled` updates (PopArt). */
  popArt?: boolean;
  /** Form of the critic's outputs (default: plain numbers). */
  values?: ValueForm;
}

/** Weights of {@link recurrentActorCritic}. Actor and critic share the memory. */
export type RecurrentWeights = {
  encoder?: Tree;
  body: nn.MlpParams;
  memory: Tree;
  actor: nn.LinearParams;
  critic: nn.LinearParams;
  scale?: ReturnScale;
  head: Tree;
};

/** State carried from step to step: memory, and noise if the head has some. */
export type RecurrentState = { memory: Tree; noise: Tree };

/**
 * An actor and a critic with a common memory, for partially observable environments. It is trained on sequences,
 * starting from the recurrent state at the time of acting.
 */
export function recurrentActorCritic(
  spec: EnvSpec,
  options: RecurrentActorCriticOptions = {},
): Policy<RecurrentWeights, RecurrentState> {
  const { hidden = [], activation = "tanh", units = 64 } = options;
  const encoder = bodyFor(spec.observation, options);
  const head = headFor(spec.action, options);
  const body = nn.mlp({ inputs: encoder.features, hidden, activation });
  const inputs = hidden[hidden.length - 1] ?? encoder.features;
  const memory = memoryOf(inputs, units, options);
  const layer = (outputs: number, gain: number) =>
    nn.linear({ inputs: units, outputs, weightInit: nn.init.orthogonal(gain), biasInit: nn.init.zeros });
  const actor = layer(head.outputs, 0.01);
  const form = valueHeadFor(options);
  const critic = layer(form.outputs, 1);

  const look = (weights: RecurrentWeights, view: PolicyInput, leading: number, key?: Tensor) =>
    body.apply(
      weights.body,
      encoder.apply(weights.encoder, view.observation, leading, learningContext(encoder, key)),
    );
  const step = (weights: RecurrentWeights, view: PolicyInput, state: RecurrentState) =>
    memory.step(weights.memory, look(weights, view, 1), state.memory, view.first);
  const remember = (weights: RecurrentWeights, { view, state, key }: RecordedStep<RecurrentState>) =>
    memory.sequence(weights.memory, look(weights, view, 2, key), carried(state).memory, view.first).output;
  const consider = (weights: RecurrentWeights, features: Tensor): NetworkOutput => ({
    features,
    outputs: actor.apply(weights.actor, features),
  });
  const judge = (weights: RecurrentWeights, features: Tensor) => critic.apply(weights.critic, features);
  const valueOf = (weights: RecurrentWeights, judged: Tensor) => inScale(weights, form.value(judged));

  return {
    likelihood: "exact",
    memory: true,
    ...(encoder.random ? { random: true } : {}),
    init(key) {
      const [a, b, c, d, e] = random.splitKey(key, 5);
      return {
        ...(encoder.init ? { encoder: encoder.init(a) } : {}),
        body: body.init(b),
        memory: memory.init(c),
        actor: actor.init(d),
        critic: form.first(critic.init(e)),
        ...(options.popArt ? { scale: initialReturnScale() } : {}),
        head: head.init(units),
      };
    },
    start: (rows) => ({ memory: memory.start(rows), noise: head.carried?.start(rows, units) ?? {} }),
    act(weights, view, state, key) {
      const { output, state: remembered } = step(weights, view, state);
      const act = decide(head, weights.head, consider(weights, output), { view, noise: state.noise, key });
      return {
        ...act,
        value: valueOf(weights, judge(weights, output)),
        state: { memory: remembered, noise: act.state },
      };
    },
    score(weights, moment) {
      const output = remember(weights, moment);
      const scored = scoreOf(head, weights.head, consider(weights, output), moment);
      const judged = judge(weights, output);
      const extra = { ...unitOf(weights), ...form.extra(judged) };
      return {
        ...scored,
        value: valueOf(weights, judged),
        ...(Object.keys(extra).length ? { extra } : {}),
      };
    },
    divergence(weights, others, moment) {
      const of = (w: RecurrentWeights) =>
        distributionFor(head, w.head, consider(w, remember(w, moment)), moment);
      return of(weights).kl(of(others));
    },
    value: (weights, view, state) =>
      valueOf(weights, judge(weights, step(weights, view, carried(state)).output)),
  };
}

/** The memory layer. */
function memoryOf(inputs: number, units: number, options: RecurrentActorCriticOptions): nn.Recurrent {
  const { kind = "gru", memoryLayers: layers = 1, memorySteps = 32, memoryHeads = 4 } = options;
  if (kind !== "transformer" && kind !== "hcam")
    return nn.recurrentEncoder({ inputs, units, kind, layers }) as nn.Recurrent;
  if (units % memoryHeads !== 0)
    fail(
      "recurrentActorCritic",
      `${units} units cannot be divided into ${memoryHeads} heads. Change units or memoryHeads.`,
    );
  return nn.transformerEncoder({
    inputs,
    width: units,
    heads: memoryHeads,
    context: memorySteps,
    layers,
    ...(kind === "hcam" && {
      chunks: { steps: options.memoryChunk ?? 8, chosen: options.memoryRecall ?? 4 },
    }),
    gated: (options.memoryJoin ?? "gates") === "gates",
    norms: options.memoryJoin === "post-norm" ? "sum" : "before",
  }) as nn.Recurrent;
}

/** The recurrent state before the first step. */
const carried = (state: RecurrentState | undefined): RecurrentState =>
  state ?? fail("recurrentActorCritic", "the recurrent state is missing. Set `state` of the moment.");
