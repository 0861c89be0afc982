/** A method with the options that do not vary, and its grid. */
export interface Contest {
  readonly method: string;
  /** Whether it samples its completions; others learn from recorded ones. */
  readonly online: boolean;
  readonly options: { readonly [option: string]: number };
  /** Recorded completions of a prompt. */
  readonly candidates: number;
  /** The option that sets how closely the policy follows the data or stays near its start, with two values. */
  readonly strength: { readonly option: string; readonly values: readonly [number, number] };
}

/** The model: blocks, width, heads; supervised fine-tuning in completion tokens, and texts per update. */
export const model = { layers: 1, width: 32, heads: 2, imitation: 20_000, batch: 32 };

/** Budget of every method: completion tokens, recorded or sampled, in batches of this number of completions. */
export const tokens = 24_000;
export const completions = 64;

/** Held-out prompts of the evaluation before and after training. */
export const problems = 500;

export const learningRates: readonly number[] = [3e-4, 1e-3];

/** Seeds for choosing learning rate and strength, and seeds that are reported. */
export const tuning: readonly number[] = [0, 1, 2, 3];
export const evaluation: readonly number[] = [100, 101, 102, 103, 104];

/** The default and ten times it. */
const tenfold = (option: string, value: number): Contest["strength"] => ({
  option,
  values: [value, 10 * value],
});

const offline = (method: string, strength: Contest["strength"], candidates = 2): Contest => ({
  method,
  online: false,
  options: { batch: completions / candidates },
  candidates,
  strength,
});

const online = (
  method: string,
  strength: Contest["strength"],
  options: Contest["options"] = { groups: completions / 2, groupSize: 2 },
): Contest => ({ method, online: true, options, candidates: 2, strength });

const fours = { groups: completions / 4, groupSize: 4 };

/** Every method that learns from comparisons. */
export const contests: readonly Contest[] = [
  ...["dpo", "robust-dpo", "step-dpo", "nca", "bco", "exo", "sppo", "aot", "aot-unpaired"].map((method) =>
    offline(method, tenfold("beta", method === "step-dpo" ? 0.4 : 0.1)),
  ),
  ...["apo-zero", "apo-down", "cpo", "kto"].map((method) => offline(method, tenfold("beta", 0.1))),
  ...["orpo", "slic"].map((method) => offline(method, tenfold("beta", 0.2))),
  ...["normalised-dpo", "simpo", "alphapo"].map((method) => offline(method, tenfold("beta", 2))),
  offline("ipo", tenfold("beta", 0.5)),
  // At its default temperature the loss of a pair without a margin grows with the margin.
  offline("discopop", tenfold("temperature", 0.05)),
  offline("rrhf", tenfold("likelihood", 1), 4),
  offline("lipo", tenfold("beta", 0.1), 4),
  online("online-dpo", tenfold("beta", 0.1)),
  online("xpo", tenfold("beta", 0.1), { groups: completions / 2, groupSize: 1 }),
  online(
    "nash-md",
    { option: "anchor", values: [0.01, 0.1] },
    { groups: completions / 2, groupSize: 1, mixture: 0.125 },
  ),
  online("inpo", tenfold("step", 0.5)),
  online("egpo", tenfold("beta", 0.1)),
  online("online-sppo", { option: "step", values: [1, 10] }, fours),
  online("spo", { option: "klWeight", values: [0, 0.1] }, { ...fours, epochs: 1, clipNorm: 1 }),
];
