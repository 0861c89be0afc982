import type { Program } from "../graph.ts";

/** An argument or a result of a model, as runtimes name it. */
export interface PortInfo {
  readonly name: string;
  readonly dtype: string;
  /** Numbers, and `rows` for the one that a caller chooses. */
  readonly shape: readonly (number | "rows")[];
}

/** What a model takes, and what it gives. */
export interface Signature {
  readonly inputs: readonly PortInfo[];
  readonly outputs: readonly PortInfo[];
}

/** Element types by the names that runtimes have for them. */
const names: { readonly [dtype: string]: string } = {
  f32: "float32",
  i32: "int32",
  u8: "uint8",
  u32: "uint32",
};

/** What the model of a program takes and gives. */
export function signatureOf({ steps, inputs, outputs }: Program): Signature {
  const info = ({ name, step }: Program["inputs"][number]): PortInfo => {
    const { dtype, shape } = steps[step];
    return {
      name,
      dtype: names[dtype] ?? dtype,
      shape: shape.map((d) => (typeof d === "number" ? d : "rows")),
    };
  };
  return { inputs: inputs.map(info), outputs: outputs.map(info) };
}
