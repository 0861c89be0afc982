import { type Body, learningContext } from "@reins/core/policies";
import * as nn from "@reins/nn";
import { random, reshape, type Tensor, type Tree } from "@reins/tensor";
import { type QParams, qNetwork } from "./network.ts";

/** Settings of {@link recurrentQNetwork}. */
export interface RecurrentQOptions {
  readonly actions: number;
  /** Widths of the layers between the body and the memory. */
  readonly hidden: readonly number[];
  readonly memory: "lstm" | "gru";
  /** Memory state size. */
  readonly units: number;
  readonly dueling: boolean;
}

/** Values of all actions, and the next memory state. */
export type RecurrentValues = { readonly values: Tensor; readonly state: Tree };

/** Weights of {@link recurrentQNetwork}. */
export type RecurrentQParams = { encoder?: Tree; layers: nn.MlpParams; memory: Tree; head: QParams };

/** Action values with memory: a body, hidden layers, a recurrent layer, and an output layer. */
export interface RecurrentQNetwork {
  init(key: Tensor): RecurrentQParams;
  start(rows: number): Tree;
  /** One step, [rows, …]; where `first` is true, the memory is reset. */
  step(weights: RecurrentQParams, observation: Tree, state: Tree, first?: Tensor): RecurrentValues;
  /** Many steps, [time, rows, …]. `learn` is the key of random layers in training. */
  sequence(weights: RecurrentQParams, observation: Tree, state: Tree, learn?: Tensor): RecurrentValues;
}

/** A {@link RecurrentQNetwork} on a body. */
export function recurrentQNetwork(body: Body, options: RecurrentQOptions): RecurrentQNetwork {
  const { actions, hidden, memory: kind, units, dueling } = options;
  const layers = nn.mlp({ inputs: body.features, hidden, activation: "relu" });
  const inputs = hidden[hidden.length - 1] ?? body.features;
  const memory = nn.recurrentEncoder({ inputs, units, kind }) as nn.Recurrent;
  const head = qNetwork({ inputs: units, actions, atoms: 1, hidden: [], dueling, noisy: false });
  const look = (weights: RecurrentQParams, observation: Tree, leading: number, learn?: Tensor) =>
    layers.apply(
      weights.layers,
      body.apply(weights.encoder, observation, leading, learningContext(body, learn)),
    );
  return {
    init(key) {
      const [a, b, c, d] = random.splitKey(key, 4);
      return {
        ...(body.init ? { encoder: body.init(a) } : {}),
        layers: layers.init(b),
        memory: memory.init(c),
        head: head.init(d),
      };
    },
    start: (rows) => memory.start(rows),
    step(weights, observation, before, first) {
      const { output, state } = memory.step(weights.memory, look(weights, observation, 1), before, first);
      return { values: head.apply(weights.head, output), state };
    },
    sequence(weights, observation, before, learn) {
      const { output, state } = memory.sequence(weights.memory, look(weights, observation, 2, learn), before);
      const [time, rows] = output.shape;
      const values = head.apply(weights.head, reshape(output, [time * rows, units]));
      return { values: reshape(values, [time, rows, actions]), state };
    },
  };
}
