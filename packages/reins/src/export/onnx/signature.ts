import type { Program } from "../graph.ts";

/** An input or output of a model. */
export interface PortInfo {
  readonly name: string;
  readonly dtype: string;
  /** Extents; `rows` is the dynamic batch size. */
  readonly shape: readonly (number | "rows")[];
}

/** Inputs and outputs of a model. */
export interface Signature {
  readonly inputs: readonly PortInfo[];
  readonly outputs: readonly PortInfo[];
}

/** Names of element types in runtimes. */
const names: { readonly [dtype: string]: string } = {
  f32: "float32",
  i32: "int32",
  u8: "uint8",
  u32: "uint32",
};

/** The signature of the model of a program. */
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
