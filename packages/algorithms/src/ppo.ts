import { actorCritic, define, losses, onPolicy, setting, size, targets } from "@reins/core";
import * as nn from "@reins/nn";

const { clipped, entropy, minus, policyGradient, sum, valueError, weighted } = losses;

/** Proximal Policy Optimization (Schulman et al., 2017), with the details of the implementations that work (Huang et al., 2022). */
export const ppo = define({
  name: "ppo",
  summary: "Clipped policy gradient with a critic, several passes over each batch: the one to try first.",
  paper: "Proximal Policy Optimization Algorithms (Schulman et al., 2017)",
  options: {
    learningRate: setting(2.5e-4, "Size of a step. Higher learns faster until it diverges (1e-5 to 1e-3)."),
    clip: setting(
      0.2,
      "How far the policy may move in one batch. Higher moves further and less safely (0.1 to 0.3).",
    ),
    gamma: setting(0.99, "Discount. Higher looks further ahead and varies more (0.9 to 0.999)."),
    lambda: setting(0.95, "Advantages: 0 trusts the critic, 1 trusts the returns (0.8 to 1)."),
    entropyWeight: setting(
      0.01,
      "Reward for staying random. Higher explores more and settles later (0 to 0.05).",
    ),
    valueWeight: setting(0.5, "Weight of the critic's error in the loss (0.25 to 1)."),
    clipNorm: setting(0.5, "Longest gradient. Lower is steadier and slower (0.3 to 1)."),
    envs: size(8, "Environments played at once. More gives more varied batches (4 to 4096)."),
    steps: size(
      128,
      "Steps of each environment between updates. More gives better advantages, fewer updates (16 to 2048).",
    ),
    epochs: size(4, "Passes over each batch. More learns more from it and moves further (1 to 20)."),
    minibatches: size(4, "Parts of each pass. More gives more, noisier steps (1 to 64)."),
    clipValue: size(true, "Also hold the critic's change within the clip range."),
    hidden: size<readonly number[]>([64, 64], "Widths of the hidden layers."),
    activation: size<nn.Activation>("tanh", "Activation of the hidden layers."),
    shared: size(false, "One body for actor and critic."),
    continuous: size<"normal" | "tanh" | "beta">("normal", "Distribution of continuous actions."),
    logStd: size(0, "First logarithm of the spread of continuous actions. Lower explores less (-2 to 0)."),
    normalise: size<"minibatch" | "batch" | "none">(
      "minibatch",
      "Over what advantages get mean 0 and deviation 1.",
    ),
  },
  start: (o, context) =>
    onPolicy(
      {
        name: "ppo",
        policy: actorCritic(context.spec, o),
        target: targets.gae({ gamma: o.gamma, lambda: o.lambda }),
        loss: sum(
          policyGradient({ ratio: clipped(o.clip), clip: o.clip }),
          weighted(o.valueWeight, valueError(o.clipValue ? { clip: o.clip } : {})),
          minus(o.entropyWeight, entropy()),
        ),
        optimiser: nn.adam({ epsilon: 1e-5 }),
        learningRate: o.learningRate,
        clipNorm: o.clipNorm,
        envs: o.envs,
        steps: o.steps,
        epochs: o.epochs,
        minibatches: o.minibatches,
        normalise: o.normalise,
      },
      context,
    ),
});
