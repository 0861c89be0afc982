import { choice, setting, size } from "@reins/core";
import { activatedBody, actor } from "./networks.ts";

/** The learning rate of an on-policy method, with its usual range. */
export const learningRate = (value: number, range: string) =>
  setting(value, `Learning rate. Higher learns faster until it diverges (${range}).`, {
    within: "nonnegative",
  });

/** The clip range of PPO and of methods with its loss. */
export const clip = setting(
  0.2,
  "Clip range of the importance ratio. Higher allows larger, less safe policy changes (0.1 to 0.3).",
  { per: "token", within: "nonnegative" },
);

/** Discount factor and lambda of the advantages; `about` is the text of lambda. */
export const advantages = (
  lambda: number,
  about = "GAE lambda: 0 relies on the critic, 1 on the returns (0.8 to 1).",
) => ({
  gamma: setting(0.99, "Discount factor. Higher looks further ahead, with more variance (0.9 to 0.999).", {
    per: "token",
    within: "share",
  }),
  lambda: setting(lambda, about, { per: "token", within: "share" }),
});

/** The entropy bonus. */
export const entropyWeight = (value: number) =>
  setting(value, "Weight of the entropy bonus. Higher explores more and converges later (0 to 0.05).", {
    per: "token",
    within: "any",
  });

/** Weights of the loss beside the policy gradient, and the gradient norm. */
export const actorCriticLoss = {
  entropyWeight: entropyWeight(0.01),
  valueWeight: setting(0.5, "Weight of the value loss (0.25 to 1).", {
    per: "token",
    within: "nonnegative",
  }),
  clipNorm: setting(0.5, "Maximum gradient norm. Lower is steadier and slower (0.3 to 1).", {
    within: "positive",
  }),
};

/** The batch of PPO and its relatives; `about` is the text of `steps`. */
export const batchOf = (
  about = "Steps of each environment between updates. More gives better advantages, fewer updates (16 to 2048).",
) => ({
  envs: size(8, "Parallel environments. More gives more varied batches (4 to 4096).", {
    within: "count",
  }),
  steps: size(128, about, { within: "count" }),
});

/** The short batch of methods with one update per batch; ranges as in the option texts. */
export const shortBatch = (usual: {
  readonly envs: string;
  readonly steps: number;
  readonly range: string;
}) => ({
  envs: size(16, `Parallel environments. More makes gradients less noisy (${usual.envs}).`, {
    within: "count",
  }),
  steps: size(
    usual.steps,
    `Steps of each environment between updates. More looks further ahead before bootstrapping (${usual.range}).`,
    { within: "count" },
  ),
});

/** Networks of an actor and a critic that may share a body. */
export const actorCriticNetwork = {
  hidden: actor.hidden,
  ...activatedBody,
  shared: size(false, "Share one body between actor and critic."),
  continuous: actor.continuous,
  logStd: actor.logStd,
};

const scope = "Scope of advantage normalisation (mean 0, standard deviation 1).";

/** Advantage normalisation where a batch is not split. */
export const normalise = (value: "batch" | "none") =>
  choice<"batch" | "none">(value, ["batch", "none"], scope);

/** Advantage normalisation where a batch is split into minibatches. */
export const normaliseMinibatches = choice<"minibatch" | "batch" | "none">(
  "minibatch",
  ["minibatch", "batch", "none"],
  scope,
);
