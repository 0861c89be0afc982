import { random, type Tensor, type Tree } from "@reins/tensor";
import { type BodyOptions, learningContext } from "../body.ts";
import type { EnvSpec } from "../env.ts";
import { fail } from "../errors.ts";
import type { Moment, View } from "../moment.ts";
import { nn } from "../nn.ts";
import type { Policy } from "../policy.ts";
import { decide, distributionFor, type Opinion, scoreOf } from "./decide.ts";
import type { HeadOptions } from "./head.ts";
import { headFor } from "./heads.ts";
import { bodyFor } from "./own-body.ts";
import { firstScale, inScale, type ReturnScale, unitOf } from "./pop-art.ts";
import { type ValueForm, valueHeadFor } from "./value-form.ts";

/** Settings of {@link recurrentActorCritic}. */
export interface RecurrentActorCriticOptions extends HeadOptions, BodyOptions {
  /** Widths of the layers between the observation and the memory; none for vectors of a few numbers. */
  hidden?: readonly number[];
  activation?: nn.Activation;
  /** "gru" (default), "lstm", "mingru" (a GRU whose loop has no matrix product), "ffm" (traces that fade by themselves), "transformer", or "hcam" (one that recalls chunks of the past). */
  kind?: "gru" | "lstm" | "mingru" | "ffm" | "transformer" | "hcam";
  /** Numbers that are remembered, of each step where it is a transformer (32 to 512). More remember more and cost quadratically. */
  units?: number;
  /** Layers of memory on top of each other (1 to 4); 1 by default. */
  memoryLayers?: number;
  /** Transformer: steps that each layer looks back on, the present one included (16 to 256); 32 by default. */
  memorySteps?: number;
  /** Transformer: heads of attention, which divide `units` (1 to 8); 4 by default. */
  memoryHeads?: number;
  /** Transformer: how layers are joined: through gates as in GTrXL (default), or by sums that are normalised before each half or after it. */
  memoryJoin?: "gates" | "pre-norm" | "post-norm";
  /** Chunks: steps of each (4 to 32); 8 by default. */
  memoryChunk?: number;
  /** Chunks: how many are looked into at a time (1 to 16); 4 by default. */
  memoryRecall?: number;
  /** Heads of the critic, each with a value of its own: values have one axis more then. By default one head, and none. */
  streams?: number;
  /** The critic gives values in units of a running scale of returns, which `rescaled` moves (PopArt). */
  popArt?: boolean;
  /** How the critic says values; as plain numbers by default. */
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

/** What is carried from step to step: what is remembered, and noise where the head carries some. */
export type RecurrentState = { memory: Tree; noise: Tree };

/**
 * An actor and a critic with a common memory, for environments that do not show everything at once. It learns from whole stretches of
 * time, beginning with the memory that it had there when it acted.
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

  const look = (weights: RecurrentWeights, view: View, leading: number, key?: Tensor) =>
    body.apply(
      weights.body,
      encoder.apply(weights.encoder, view.observation, leading, learningContext(encoder, key)),
    );
  const step = (weights: RecurrentWeights, view: View, state: RecurrentState) =>
    memory.step(weights.memory, look(weights, view, 1), state.memory, view.first);
  const remember = (weights: RecurrentWeights, { view, state, key }: Moment<RecurrentState>) =>
    memory.sequence(weights.memory, look(weights, view, 2, key), carried(state).memory, view.first).output;
  const consider = (weights: RecurrentWeights, features: Tensor): Opinion => ({
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
        ...(options.popArt ? { scale: firstScale() } : {}),
        head: head.init(units),
      };
    },
    start: (rows) => ({ memory: memory.start(rows), noise: head.carried?.start(rows, units) ?? {} }),
    act(weights, view, state, key) {
      const { output, state: remembered } = step(weights, view, state);
      const act = decide(head, weights.head, consider(weights, output), view, state.noise, key);
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

/** What remembers. */
function memoryOf(inputs: number, units: number, options: RecurrentActorCriticOptions): nn.Recurrent {
  const { kind = "gru", memoryLayers: layers = 1, memorySteps = 32, memoryHeads = 4 } = options;
  if (kind !== "transformer" && kind !== "hcam")
    return nn.recurrentEncoder({ inputs, units, kind, layers }) as nn.Recurrent;
  if (units % memoryHeads !== 0)
    fail(
      "recurrentActorCritic",
      `${units} units cannot be cut into ${memoryHeads} heads. Change units or memoryHeads.`,
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

/** What was carried into the first step. */
const carried = (state: RecurrentState | undefined): RecurrentState =>
  state ??
  fail("recurrentActorCritic", "what the policy remembered is missing: give the moment its `state`.");
