/** A benchmark; `peers/torch.py` and `jax/` implement the same work. */
export interface Benchmark {
  readonly name: string;
  readonly work: string;
  readonly unit: "µs" | "GFLOP/s" | "tokens/s";
  /** Required ratio to the peer: native against PyTorch, wasm against jax-js. */
  readonly floors: { readonly native: number; readonly wasm: number };
  /** Tolerance between sides, relative to the larger of 1 and the value. */
  readonly tolerance: number;
}

export const benchmarks: readonly Benchmark[] = [
  {
    name: "forward-64-b1",
    work: "4-64-64-2 tanh network, batch 1, bound call",
    unit: "µs",
    floors: { native: 20, wasm: 40 },
    tolerance: 1e-5,
  },
  {
    name: "adam-64-b256",
    work: "Adam step of that network (MSE), batch 256",
    unit: "µs",
    floors: { native: 6, wasm: 6 },
    tolerance: 1e-4,
  },
  {
    name: "adam-256-b256",
    work: "Adam step of 4-256-256-1 ReLU (MSE), batch 256",
    unit: "µs",
    floors: { native: 1.3, wasm: 2 },
    tolerance: 1e-4,
  },
  {
    name: "matmul-1024",
    work: "matrix product 1024 × 1024 × 1024",
    unit: "GFLOP/s",
    floors: { native: 0.8, wasm: 1.8 },
    tolerance: 1e-3,
  },
  {
    name: "gpt-4x128",
    work: "AdamW step of a GPT: 4 layers, width 128, 128 tokens, batch 16",
    unit: "tokens/s",
    floors: { native: 1, wasm: 2 },
    tolerance: 1e-3,
  },
];

/** A plain network: the widths of its layers and its batch. */
export interface MlpSize {
  readonly kind: "forward" | "adam";
  readonly widths: readonly number[];
  readonly activation: "tanh" | "relu";
  readonly batch: number;
}

export interface MatmulSize {
  readonly kind: "matmul";
  readonly n: number;
}

export interface GptSize {
  readonly kind: "gpt";
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  readonly tokens: number;
  readonly batch: number;
  readonly vocabulary: number;
}

export type Size = MlpSize | MatmulSize | GptSize;

/** The measured size, and a small one with the same operations that the reference backend can check in a second. */
export const sizes: Record<string, { readonly full: Size; readonly small: Size }> = {
  "forward-64-b1": {
    full: { kind: "forward", widths: [4, 64, 64, 2], activation: "tanh", batch: 1 },
    small: { kind: "forward", widths: [4, 64, 64, 2], activation: "tanh", batch: 1 },
  },
  "adam-64-b256": {
    full: { kind: "adam", widths: [4, 64, 64, 2], activation: "tanh", batch: 256 },
    small: { kind: "adam", widths: [4, 64, 64, 2], activation: "tanh", batch: 24 },
  },
  "adam-256-b256": {
    full: { kind: "adam", widths: [4, 256, 256, 1], activation: "relu", batch: 256 },
    small: { kind: "adam", widths: [4, 256, 256, 1], activation: "relu", batch: 24 },
  },
  "matmul-1024": { full: { kind: "matmul", n: 1024 }, small: { kind: "matmul", n: 120 } },
  "gpt-4x128": {
    full: { kind: "gpt", layers: 4, width: 128, heads: 4, tokens: 128, batch: 16, vocabulary: 256 },
    small: { kind: "gpt", layers: 2, width: 32, heads: 2, tokens: 24, batch: 2, vocabulary: 48 },
  },
};

/** Converts seconds per call into the benchmark's unit. */
export function inUnit(name: string, unit: Benchmark["unit"], seconds: number, small = false): number {
  const size = sizes[name][small ? "small" : "full"];
  if (unit === "GFLOP/s" && size.kind === "matmul") return (2 * size.n ** 3) / seconds / 1e9;
  if (unit === "tokens/s" && size.kind === "gpt") return (size.batch * size.tokens) / seconds;
  return seconds * 1e6;
}
