import { add, concat, matmul, random, split, squeeze, type Tensor, type Tree } from "@reins/tensor";
import { type BodyOptions, learningContext } from "../body.ts";
import type { EnvSpec } from "../env.ts";
import { nn } from "../nn.ts";
import type { Policy } from "../policy.ts";
import type { PolicyInput } from "../recorded-step.ts";
import { bodyFor } from "./custom-body.ts";
import type { HeadOptions } from "./head.ts";
import { decide, distributionFor, type NetworkOutput, scoreOf } from "./head-action.ts";
import { headFor } from "./heads.ts";
import { initialReturnScale, inScale, type ReturnScale, unitOf } from "./pop-art.ts";
import { firstCritic, type ValueForm, valueHeadFor } from "./value-form.ts";

/** Settings of {@link actorCritic}. */
export interface ActorCriticOptions extends HeadOptions, BodyOptions {
  /** Widths of the hidden layers (default [64, 64] for vectors of a few numbers; none with a custom network). */
  hidden?: readonly number[];
  activation?: nn.Activation;
  /** One body for actor and critic: cheaper, but their gradients interfere. */
  shared?: boolean;
  /** False omits the critic. */
  critic?: boolean;
  /** Actor and critic have separate encoders, so that their gradients do not affect each other. */
  apart?: boolean;
  /** The actor predicts the return too, with a head on its last hidden layer (`extra.auxiliary` of its scores). */
  auxiliary?: boolean;
  /** Number of critic heads; values then have one more axis (default: a single head without that axis). */
  streams?: number;
  /** The critic's outputs are in units of a running scale of returns, which `rescaled` updates (PopArt). */
  popArt?: boolean;
  /** Form of the critic's outputs (default: plain numbers). */
  values?: ValueForm;
}

/** Weights of {@link actorCritic}; with a shared body, `critic` is its last layer only. */
export type ActorCriticWeights = {
  /** Weights of the encoder, if it has any: shared by actor and critic, or one custom network each. */
  encoder?: Tree;
  body?: nn.MlpParams;
  actor: nn.MlpParams;
  critic?: nn.MlpParams;
  auxiliary?: nn.LinearParams;
  scale?: ReturnScale;
  head: Tree;
};

/** Weights of one body each. */
type Copies = { readonly actor: Tree; readonly critic?: Tree };

/** A policy network and a value network, with the distribution that fits the action space. */
export function actorCritic(spec: EnvSpec, options: ActorCriticOptions = {}): Policy<ActorCriticWeights> {
  const { activation = "tanh", shared = false, critic: wanted = true, network } = options;
  const { hidden = network ? [] : [64, 64] } = options;
  const encoder = bodyFor(spec.observation, options);
  // Actor and critic each have a copy.
  const apart = (network !== undefined || options.apart === true) && !shared;
  const head = headFor(spec.action, options);
  const form = valueHeadFor(options);
  const inputs = encoder.features;
  const last = hidden[hidden.length - 1] ?? inputs;
  const width = shared ? last : inputs;
  const own = shared ? [] : hidden;
  const body = shared ? nn.mlp({ inputs, hidden, activation }) : undefined;
  // A small last layer: the initial policy is nearly uniform, and the first advantages do not commit it.
  const actor = nn.mlp({ inputs: width, hidden: own, outputs: head.outputs, activation, outputGain: 0.01 });
  const critic = wanted
    ? nn.mlp({ inputs: width, hidden: own, outputs: form.outputs, activation })
    : undefined;
  // The actor in two steps, for heads on its last hidden layer.
  const trunk = nn.mlp({ inputs: width, hidden: own, activation });
  const final = nn.mlp({ inputs: last, hidden: [], outputs: head.outputs });

  const auxiliary = options.auxiliary ? nn.linear({ inputs: last, outputs: 1 }) : undefined;

  const look = (
    weights: ActorCriticWeights,
    view: PolicyInput,
    as: "actor" | "critic",
    key?: Tensor,
  ): Tensor => {
    const own = apart ? (weights.encoder as Copies | undefined)?.[as] : weights.encoder;
    const x = encoder.apply(own, view.observation, 1, learningContext(encoder, key));
    return body ? body.apply(weights.body!, x) : x;
  };
  const judge = (weights: ActorCriticWeights, x: Tensor) => critic?.apply(weights.critic!, x);
  const valueOf = (weights: ActorCriticWeights, judged: Tensor) => inScale(weights, form.value(judged));
  const consider = ({ actor: { layers } }: ActorCriticWeights, x: Tensor): NetworkOutput => {
    const features = trunk.apply({ layers: layers.slice(0, -1) }, x);
    return { features, outputs: final.apply({ layers: layers.slice(-1) }, features) };
  };

  /** Outputs of actor and critic. On a shared body both are one matrix product: two thin ones take nearly twice as long. */
  const both = (
    weights: ActorCriticWeights,
    view: PolicyInput,
    key?: Tensor,
  ): { opinion: NetworkOutput; judged?: Tensor; value?: Tensor } => {
    const x = look(weights, view, "actor", key);
    const critical = () => look(weights, view, "critic", key && random.foldKey(key, 1));
    if (!body || !critic) {
      const opinion = consider(weights, x);
      const judged = judge(weights, apart && critic ? critical() : x);
      return { opinion, judged, value: judged && valueOf(weights, judged) };
    }
    const [a, c] = [weights.actor.layers[0], weights.critic!.layers[0]];
    const out = add(matmul(x, concat([a.weight, c.weight], 1)), concat([a.bias!, c.bias!]));
    const [outputs, judged] = split(out, [head.outputs, form.outputs], -1);
    return { opinion: { features: x, outputs }, judged, value: valueOf(weights, judged) };
  };

  return {
    likelihood: "exact",
    ...(encoder.random ? { random: true } : {}),
    init(key) {
      const [a, b, c] = random.splitKey(key, 3);
      const see = (which: number) => encoder.init?.(random.foldKey(c, which));
      return {
        ...(encoder.init
          ? { encoder: apart ? { actor: see(1), ...(critic ? { critic: see(2) } : {}) } : see(1) }
          : {}),
        ...(body ? { body: body.init(c) } : {}),
        actor: actor.init(a),
        ...(critic ? { critic: firstCritic(form, critic.init(b)) } : {}),
        ...(auxiliary ? { auxiliary: auxiliary.init(random.foldKey(a, 1)) } : {}),
        ...(critic && options.popArt ? { scale: initialReturnScale() } : {}),
        head: head.init(last),
      };
    },
    ...(head.carried ? { start: (rows: number) => head.carried!.start(rows, last) } : {}),
    act(weights, view, state, key) {
      const { opinion, value } = both(weights, view);
      return { ...decide(head, weights.head, opinion, { view, noise: state, key }), value };
    },
    score(weights, moment) {
      const { opinion, judged, value } = both(weights, moment.view, moment.key);
      const extra = {
        ...(auxiliary
          ? { auxiliary: squeeze(auxiliary.apply(weights.auxiliary!, opinion.features), -1) }
          : {}),
        ...unitOf(weights),
        ...(judged ? form.extra(judged) : {}),
      };
      return {
        ...scoreOf(head, weights.head, opinion, moment),
        value,
        ...(Object.keys(extra).length ? { extra } : {}),
      };
    },
    divergence(weights, others, moment) {
      const of = (w: ActorCriticWeights) =>
        distributionFor(head, w.head, both(w, moment.view, moment.key).opinion, moment);
      return of(weights).kl(of(others));
    },
    ...(critic
      ? {
          value: (weights: ActorCriticWeights, view: PolicyInput) =>
            valueOf(weights, judge(weights, look(weights, view, "critic"))!),
        }
      : {}),
  };
}
