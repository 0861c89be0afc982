import type { TracedEnv, VectorEnv } from "@reins/core";
import { fromTraced } from "@reins/core/forms";
import { scalar, type Tensor, type Tree } from "@reins/tensor";
import type { BatchedOptions, TracedOption } from "../batch-form.ts";

/** An environment's factory, with its form in tensor operations if `traced` is set. */
export const eitherForm =
  <O extends BatchedOptions, P extends Tree, S extends Tree>(
    usual: (options: O) => VectorEnv,
    traced: (options: O) => TracedEnv<P, S>,
    params: (options: O) => P,
  ) =>
  (options: O & TracedOption): VectorEnv => {
    if (options.traced) return fromTraced(traced(options), params(options), options.rows ?? 1);
    const { traced: _, ...rest } = options;
    return usual(rest as O & TracedOption);
  };

/** Physics parameters as tensors: they may be learned, or differ between rows. */
export type Scalars<Name extends string> = { readonly [N in Name]: Tensor };

/** Plain numbers as parameters. */
export const scalars = <Name extends string>(numbers: Readonly<Record<Name, number>>): Scalars<Name> =>
  Object.fromEntries(Object.entries<number>(numbers).map(([name, x]) => [name, scalar(x)])) as Scalars<Name>;
