import { squeeze, type Tensor, tensor, zeros } from "@reins/tensor";
import { fail } from "../errors.ts";
import { nn } from "../nn.ts";

/** How a critic's network says what a value is: the number itself, its symmetric logarithm, or shares of bins. */
export type ValueForm = "plain" | "symlog" | "two-hot";

/** Reach and spacing of the bins, in logarithms: values up to 3 million. */
const [reach, count] = [15, 101];

/** The bins of critics that say values as shares of them. */
export const valueBins: readonly number[] = nn.symexpBins(count, reach);

/** A critic's last layer, read in some form. */
export interface ValueHead {
  /** Numbers that the network gives for a value. */
  readonly outputs: number;
  /** The value that they mean, [..., outputs] to [...]. */
  value(given: Tensor): Tensor;
  /** What a loss must know of them beside the value. */
  extra(given: Tensor): { readonly [name: string]: Tensor };
  /** The layer's first weights, where they are not as those of any other. */
  first(drawn: nn.LinearParams): nn.LinearParams;
}

const one = (given: Tensor) => squeeze(given, -1);
const asDrawn = (drawn: nn.LinearParams) => drawn;

/**
 * The form by its name. Logarithms and bins take returns of any size and learn them at one rate (Hafner et al., 2023). Of varying returns bins
 * expect the mean, logarithms something nearer to the middle one.
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
    // All values are 0 at first, and far bins unlikely: a little weight on millions would outweigh everything else.
    first: ({ weight, ...rest }) => ({
      ...rest,
      weight: zeros(weight.shape),
      bias: tensor(valueBins.map((_, i) => -1.5 * Math.abs(-reach + (2 * reach * i) / (count - 1)))),
    }),
  },
};

/** Several values of one state, each a number. */
const several = (streams: number): ValueHead => ({
  outputs: streams,
  value: (given) => given,
  extra: () => ({}),
  first: asDrawn,
});

/** How a critic says its values, by what was asked for. */
export function valueHeadFor(options: { values?: ValueForm; popArt?: boolean; streams?: number }): ValueHead {
  const form = formOf(options);
  const { streams, popArt } = options;
  if (streams === undefined) return valueHeads[form];
  if (form !== "plain" || popArt)
    fail(
      "streams",
      `a critic with several values says each as a plain number: leave out ${popArt ? "popArt" : `values: "${form}"`}.`,
    );
  return several(streams);
}

/** The form that is asked for; one that takes returns of any size needs no scale that follows them. */
function formOf({ values = "plain", popArt = false }: { values?: ValueForm; popArt?: boolean }): ValueForm {
  if (popArt && values !== "plain")
    fail(
      "popArt",
      `the critic's values are ${values}, which take returns of any size. Leave out one of them.`,
    );
  return values;
}

/** A critic's first weights with its last layer as the form wants it. */
export function firstCritic(head: ValueHead, { layers, ...rest }: nn.MlpParams): nn.MlpParams {
  return { ...rest, layers: [...layers.slice(0, -1), head.first(layers[layers.length - 1])] };
}
