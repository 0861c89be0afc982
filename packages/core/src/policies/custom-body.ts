import { random, reshape, serialiseFunction, shapeOf, type Tensor, zeros } from "@reins/tensor";
import type { Body, BodyOptions, NetworkMaker } from "../body.ts";
import { fail, ReinsError } from "../errors.ts";
import type { nn } from "../nn.ts";
import type { Space } from "../space.ts";
import { flatSize, flatten } from "../spaces/flatten.ts";
import { show } from "../spaces/show.ts";
import { encoderFor } from "./encoder.ts";

/** The body from the options: a custom network or encoder, or the default encoder of the space. */
export function bodyFor(space: Space, { encoder, network }: BodyOptions = {}): Body {
  if (network) return customBody("network", network, space);
  return encoder ? customBody("encoder", encoder, space) : encoderFor(space);
}

/** Calls a maker for a space and returns a body. `option` is its name in messages. */
export function customBody(option: string, make: NetworkMaker, space: Space): Body {
  const inputs = flatSize(space);
  if (/^class\b/.test(`${make}`))
    fail(option, "is a class. Pass a function that makes one: (seen) => new Mine(seen).");
  const made: unknown = make({ space, inputs });
  if (isBody(made)) return withFeatures(option, made);
  if (isLayer(made)) return withFeatures(option, onFlat(option, made, space, inputs));
  return fail(
    option,
    `the function returned ${typeof made}, which is neither a layer nor a body. Return a layer, as in ({ inputs }) => nn.mlp({ inputs, hidden: [64] }), or { features, init, apply }.`,
  );
}

function withFeatures(option: string, body: Body): Body {
  if (!(Number.isInteger(body.features) && body.features >= 1))
    fail(option, `it has ${body.features} features, but the layers on top need at least 1.`);
  return body;
}

/** A layer on the flat observation. */
function onFlat(option: string, layer: nn.Layer, space: Space, inputs: number): Body {
  const features = featuresOf(option, layer, space, inputs);
  return {
    features,
    ...(drawsByKey(layer, inputs) ? { random: true } : {}),
    init: (key) => layer.init(key),
    apply(params, observation, leading, context) {
      const x = flatten(space, observation, { leading });
      if (leading === 1) return layer.apply(params, x, context);
      // Layers expect one axis of rows.
      const before = x.shape.slice(0, leading);
      return reshape(layer.apply(params, reshape(x, [-1, inputs]), context), [...before, features]);
    },
  };
}

/** Number of features of a layer. It is traced with two rows, because one row could be mistaken for a missing axis. */
function featuresOf(option: string, layer: nn.Layer, space: Space, inputs: number): number {
  const rows = 2;
  const about = `for flat observations [rows, ${inputs}] of ${show(space)}`;
  let shape: readonly number[];
  try {
    shape = shapeOf(() => layer.apply(layer.init(random.key(0)), zeros([rows, inputs])));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ReinsError(`${option}: ${about}, the layer fails: ${reason}`, { cause: error });
  }
  if (shape.length !== 2 || shape[0] !== rows)
    fail(
      option,
      `${about}, the layer returned [${shape}] for ${rows} rows. It must return [rows, features].`,
    );
  return shape[1];
}

/** Whether a layer uses the key of its context. */
function drawsByKey(layer: nn.Layer, inputs: number): boolean {
  const withKey = (key: Tensor) => layer.apply(layer.init(random.key(0)), zeros([1, inputs]), { key });
  const { graph } = serialiseFunction(withKey, random.key(0)).data;
  // The only argument is the first node.
  return graph.nodes.some(([, read]) => read.includes(0));
}

const hasFunctions = (x: unknown, ...names: readonly string[]): x is { readonly [name: string]: unknown } =>
  typeof x === "object" &&
  x !== null &&
  names.every((name) => typeof (x as { readonly [name: string]: unknown })[name] === "function");

const isLayer = (x: unknown): x is nn.Layer => hasFunctions(x, "init", "apply");
const isBody = (x: unknown): x is Body => hasFunctions(x, "apply") && typeof x.features === "number";
