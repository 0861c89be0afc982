import { squeeze, type Tensor, tensor, zeros } from "@reins/tensor";
import { fail } from "../errors.ts";
import { nn } from "../nn.ts";

/** Form of a critic's outputs: the value itself, its symmetric logarithm, or logits over bins. */
export type ValueForm = "plain" | "symlog" | "two-hot";

/** Range and number of the bins, in symlog space: values up to 3 million. */
const [reach, count] = [15, 101];

/** The bins of two-hot critics. */
export const valueBins: readonly number[] = nn.symexpBins(count, reach);

/** Interprets the outputs of a critic's last layer. */
export interface ValueHead {
  /** Number of outputs per value. */
  readonly outputs: number;
  /** The value of the outputs, [..., outputs] to [...]. */
  value(given: Tensor): Tensor;
  /** What a loss needs besides the value. */
  extra(given: Tensor): { readonly [name: string]: Tensor };
  /** The initial weights of the layer, if they are special. */
  first(drawn: nn.LinearParams): nn.LinearParams;
}

const one = (given: Tensor) => squeeze(given, -1);
const asDrawn = (drawn: nn.LinearParams) => drawn;

/**
 * The value heads by name. Symlog and bins handle returns of any magnitude at one learning rate (Hafner et al., 2023). For random returns
 * bins predict the mean, symlog a value nearer to the median.
 */
const valueHeads: { readonly [form in ValueForm]: ValueHead } = {
  plain: { outputs: 1, value: one, extra: () => ({}), first: asDrawn },
  symlog: {
    outputs: 1,
    value: (given) => nn.symexp(one(given)),
    extra: (given) => ({ valueLog: one(given) }),
    first: asDrawn,
  },
  "two-hot": {
    outputs: count,
    value: (given) => nn.twoHotMean(given, valueBins),
    extra: (given) => ({ valueLogits: given }),
    // All values are 0 at first, and far bins unlikely: a small weight on bins of millions would dominate.
    first: ({ weight, ...rest }) => ({
      ...rest,
      weight: zeros(weight.shape),
      bias: tensor(valueBins.map((_, i) => -1.5 * Math.abs(-reach + (2 * reach * i) / (count - 1)))),
    }),
  },
};

/** Several plain values per state. */
const several = (streams: number): ValueHead => ({
  outputs: streams,
  value: (given) => given,
  extra: () => ({}),
  first: asDrawn,
});

/** The value head for these options. */
export function valueHeadFor(options: { values?: ValueForm; popArt?: boolean; streams?: number }): ValueHead {
  const form = formOf(options);
  const { streams, popArt } = options;
  if (streams === undefined) return valueHeads[form];
  if (form !== "plain" || popArt)
    fail(
      "streams",
      `a critic with several heads has plain values only. Leave out ${popArt ? "popArt" : `values: "${form}"`}.`,
    );
  return several(streams);
}

/** The requested form; forms for returns of any magnitude need no running scale. */
function formOf({ values = "plain", popArt = false }: { values?: ValueForm; popArt?: boolean }): ValueForm {
  if (popArt && values !== "plain")
    fail(
      "popArt",
      `values: "${values}" already handles returns of any magnitude. Leave out values or popArt.`,
    );
  return values;
}

/** A critic's initial weights, with its last layer as the form requires. */
export function firstCritic(head: ValueHead, { layers, ...rest }: nn.MlpParams): nn.MlpParams {
  return { ...rest, layers: [...layers.slice(0, -1), head.first(layers[layers.length - 1])] };
}
