import { copyOf, type Values } from "./compare.ts";
import { type Noise, perturbed } from "./noise.ts";
import { inputTensors, type Program, runProgram } from "./program.ts";
import type { Random } from "./random.ts";

/** The results of a program at each of its calls: new states first, then the other results. */
export type Outcome = readonly (readonly Values[])[];

/** Number of successive calls: donated arguments continue from the last call's results, all other inputs change. */
export const calls = 2;

/** The program computed one operation at a time, without compiled functions. */
export function expected(p: Program): Outcome {
  const out: Values[][] = [];
  let env = inputTensors(p, 0);
  for (let k = 0; k < calls; k++) {
    const { state, others } = runProgram(p, env);
    out.push([...state, ...others].map(copyOf));
    env = inputTensors(p, 1);
    p.inputs.filter((i) => i.role === "state").forEach((i, n) => env.set(i.id, state[n]));
  }
  return out;
}

/** The results with rounding errors that the back ends could have made. */
export function perturbedRun(p: Program, r: Random, noise: Noise): Outcome {
  return perturbed(r, noise, () => expected(p));
}
