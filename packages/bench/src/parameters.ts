import type { GptSize, MlpSize } from "./benchmarks.ts";
import { noise } from "./noise.ts";

/** Values with a shape, to be converted to the tensors of a library. */
export interface Values {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** Types instead of interfaces, since only types are accepted as trees of tensors. */
export type Linear<T> = {
  weight: T;
  bias: T;
};

export type Norm<T> = {
  scale: T;
  shift: T;
};

export type Block<T> = {
  norm1: Norm<T>;
  qkv: Linear<T>;
  out: Linear<T>;
  norm2: Norm<T>;
  up: Linear<T>;
  down: Linear<T>;
};

export type Gpt<T> = {
  embedding: T;
  positions: T;
  blocks: Block<T>[];
  norm: Norm<T>;
  head: T;
};

/** Creates the parameters of a network; `make` converts values to a tensor. */
export function mlpParameters<T>({ widths }: MlpSize, make: (v: Values) => T): Linear<T>[] {
  const draw = stream(make);
  return widths.slice(1).map((width, i) => {
    const scale = 1 / Math.sqrt(widths[i]);
    return { weight: draw([widths[i], width], scale), bias: draw([width], scale) };
  });
}

export function gptParameters<T>(size: GptSize, make: (v: Values) => T): Gpt<T> {
  const { layers, width, tokens, vocabulary } = size;
  const draw = stream(make);
  const constant = (shape: number[], value: number) =>
    make({ data: new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(value), shape });
  const norm = () => ({ scale: constant([width], 1), shift: constant([width], 0) });
  const linear = (inputs: number, outputs: number) => ({
    weight: draw([inputs, outputs], 1 / Math.sqrt(inputs)),
    bias: constant([outputs], 0),
  });
  return {
    embedding: draw([vocabulary, width], 0.05),
    positions: draw([tokens, width], 0.05),
    blocks: Array.from({ length: layers }, () => ({
      norm1: norm(),
      qkv: linear(width, 3 * width),
      out: linear(width, width),
      norm2: norm(),
      up: linear(width, 4 * width),
      down: linear(4 * width, width),
    })),
    norm: norm(),
    head: draw([width, vocabulary], 1 / Math.sqrt(width)),
  };
}

/** Samples each tensor from the next stream. */
export function stream<T>(make: (v: Values) => T): (shape: number[], scale: number) => T {
  let next = 1;
  return (shape, scale) =>
    make({
      data: noise(
        shape.reduce((a, b) => a * b, 1),
        next++,
        scale,
      ),
      shape,
    });
}
