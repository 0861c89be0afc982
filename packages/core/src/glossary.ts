/** Description of a metric. */
export interface MetricEntry {
  readonly about: string;
  readonly unit: string;
  /** How it behaves when training goes well. */
  readonly good: string;
  /** Signs of trouble, with the likely cause. */
  readonly bad: string;
}

/**
 * Every metric of Reins, by its name in rows, plots and signals. A `*` stands for a user-defined
 * name. `docs/metrics.md` is generated from this table, and a test compares it with what algorithms measure.
 */
export const glossary: { readonly [name: string]: MetricEntry } = {
  step: {
    about:
      "Environment steps taken, over all copies of the environment; tokens for language tasks; sweeps for planners.",
    unit: "steps",
    good: "Rises from row to row.",
    bad: "–",
  },
  episodes: {
    about: "Episodes that have ended.",
    unit: "episodes",
    good: "Rises steadily.",
    bad: "0 for long: episodes never end, so returns are unknown. Set maxSteps of the environment.",
  },
  updates: {
    about:
      "Updates of the weights so far: minibatches of the replay buffer, batches of whole episodes, or generations.",
    unit: "updates",
    good: "Rises at a constant rate once training has started.",
    bad: "0: the replay buffer has too few transitions (learningStarts), or no batch has a learning signal.",
  },
  epoch: {
    about: "Passes over the listed problems so far, if the problems are a finite list (a JSON Lines file).",
    unit: "epochs",
    good: "Rises at a constant rate to the number of epochs.",
    bad: "Far above 3 while validation/loss rises: the examples are memorised. Stop earlier, or add examples.",
  },
  "return/mean": {
    about:
      "Mean return of the last 100 episodes of training, with exploration, before reward shaping. For language tasks, the judge's reward.",
    unit: "reward",
    good: "Rises, in jumps or slowly, and stays.",
    bad: "Flat from the beginning: exploration finds no reward. A fall after a rise: the learning rate is too high, or the critic has diverged.",
  },
  "return/std": {
    about: "Standard deviation of the returns of the last 100 episodes.",
    unit: "reward",
    good: "Largest while the agent is learning, then small if the environment is not random.",
    bad: "0 from the beginning: every episode has the same return, so no action looks better than another.",
  },
  "length/mean": {
    about: "Mean length of the last 100 episodes; for language tasks, tokens of a completion.",
    unit: "steps",
    good: "Rises if survival is rewarded, falls if time costs.",
    bad: "At the limit of the environment with a low return: the agent learned to do nothing. For language tasks, at the maximum length: completions are truncated.",
  },
  "success/mean": {
    about:
      "Share of the last 100 episodes of training whose last step reached the goal, for environments with goals.",
    unit: "share",
    good: "Rises to 1, late and then fast.",
    bad: "0 for long: no goal is ever reached, so there is no learning signal. Turn on hindsight, or use a dense reward.",
  },
  "reward/mean": {
    about: "Mean reward: of an episode in the last round as judged, or of one pull for bandits.",
    unit: "reward",
    good: "Rises.",
    bad: "Rises while answers get worse: reward hacking.",
  },
  "reward/std": {
    about: "Standard deviation of the rewards of the last round's episodes.",
    unit: "reward",
    good: "Well above 0 while problems are neither all solved nor all failed.",
    bad: "0: all episodes have the same reward, so there is no learning signal.",
  },
  "score/mean": {
    about: "Mean score of the last round's episodes, if the judge returns one besides the reward.",
    unit: "score",
    good: "Rises with the reward.",
    bad: "Constant while the reward rises: reward hacking.",
  },
  "reward/flat": {
    about: "Share of groups with equal rewards, which have no learning signal.",
    unit: "share",
    good: "Below a half; rises as problems are solved.",
    bad: "Near 1 from the beginning: problems are too hard or too easy, or the judge gives every answer the same reward.",
  },
  "reward/*": {
    about: "A component of the judge's reward, by name: its mean over the last round's episodes.",
    unit: "reward",
    good: "The components that matter rise.",
    bad: "One rises while the one that matters falls: it is easier to get. Lower its weight.",
  },
  "length/truncated": {
    about: "Share of the last round's episodes that were truncated at the limit.",
    unit: "share",
    good: "Near 0 for language tasks.",
    bad: "Near 1: completions never end. Raise the limit, or start from a model that ends them.",
  },
  "length/prompt-p50": {
    about: "Median length of prompts in the last batch, up to the first token that is generated or imitated.",
    unit: "tokens",
    good: "Constant: it is a property of the problems.",
    bad: "Rises without a curriculum.",
  },
  "length/prompt-p95": {
    about:
      "95th percentile of prompt lengths in the last batch, up to the first token that is generated or imitated.",
    unit: "tokens",
    good: "Well below the model's context length.",
    bad: "Near the context length: little room is left for completions.",
  },
  "length/prompt-max": {
    about:
      "Maximum length of prompts in the last batch, up to the first token that is generated or imitated.",
    unit: "tokens",
    good: "Below the model's context length, with room for a completion.",
    bad: "At the context length: completions are truncated.",
  },
  "length/completion-p50": {
    about:
      "Median length of completions in the last batch (generated, or imitated in supervised fine-tuning).",
    unit: "tokens",
    good: "Changes slowly.",
    bad: "Rises without a higher reward: length itself is rewarded.",
  },
  "length/completion-p95": {
    about:
      "95th percentile of completion lengths in the last batch (generated, or imitated in supervised fine-tuning).",
    unit: "tokens",
    good: "Well below the limit.",
    bad: "At the limit: one completion in twenty is truncated. Raise the limit.",
  },
  "length/completion-max": {
    about:
      "Maximum length of completions in the last batch (generated, or imitated in supervised fine-tuning).",
    unit: "tokens",
    good: "Below the limit (--env-max-tokens).",
    bad: "At the limit while length/truncated is above 0.",
  },
  "data/left-out": {
    about:
      "Examples of files that were left out so far: they do not fit into the model's context, have nothing to learn, or the chat template refuses them.",
    unit: "examples",
    good: "0, or a small share of the examples.",
    bad: "A large share: reins data check --model shows why.",
  },
  "judge/malformed": {
    about: "Share of answers without the required format, if the judge checks it.",
    unit: "share",
    good: "Falls first.",
    bad: "Stays high: answers cannot be verified. Imitate first, or add a format reward.",
  },
  "judge/failed": {
    about:
      "Share of episodes that the judge failed on (a sandbox error, an answer that no verifier accepts).",
    unit: "share",
    good: "0.",
    bad: "Above a few per cent: the policy learns to avoid the judge.",
  },
  "batch/kept": {
    about: "Share of the sampled episodes that are trained on, after selection.",
    unit: "share",
    good: "Well above 0, changing slowly.",
    bad: "Near 0: most problems are always or never solved, so most samples have no learning signal.",
  },
  "batch/samples": {
    about: "Mean number of samples per problem since the last update, if problems are sampled several times.",
    unit: "samples",
    good: "The group size; more if problems are sampled until they have a learning signal.",
    bad: "Many times the group size: most samples are not trained on. Use easier or harder problems.",
  },
  "batch/groups": {
    about: "Number of problems in the last update, if problems are sampled several times.",
    unit: "problems",
    good: "The number of groups, or somewhat fewer if groups with equal rewards are dropped.",
    bad: "Near 0: every problem is always or never solved.",
  },
  "loss/total": {
    about: "The total loss that is minimised.",
    unit: "loss",
    good: "Bounded. It need not fall, because its targets change.",
    bad: "NaN ends the run. Growing without bound: the learning rate is too high.",
  },
  "loss/policy": {
    about: "The policy loss.",
    unit: "loss",
    good: "Small, around 0; for SAC minus the Q-value of the actions, so it falls as returns rise.",
    bad: "Large and noisy: advantages are not normalised, or the learning rate is too high.",
  },
  "loss/auxiliary": {
    about: "Half the squared error of the policy network's value prediction, in the auxiliary phase.",
    unit: "return²",
    good: "Falls to about loss/value.",
    bad: "Much larger than loss/value: the phase is too short, or its learning rate too low.",
  },
  "loss/imitation": {
    about: "Self-imitation loss on past steps with returns above the value, including the critic's part.",
    unit: "reward · nats",
    good: "Small once the policy repeats its past successes.",
    bad: "Large for long: the policy cannot repeat past successes. They were luck, or imitationWeight is too low.",
  },
  "imitation/better": {
    about:
      "Self-imitation: share of the last minibatch with returns above the critic's value. Such steps are sampled more often, so it means little until few are left.",
    unit: "share",
    good: "Falls in the end, when the critic predicts the best returns.",
    bad: "0 from the beginning: the critic's values exceed every return, and nothing is imitated.",
  },
  "loss/quantiles": {
    about: "The quantile loss of the distributional critic that informs the value, in its last minibatch.",
    unit: "loss",
    good: "Falls to a level above 0 that depends on the spread of returns.",
    bad: "Rises for long: the quantiles diverge from their target network. Lower their learning rate.",
  },
  "loss/value": {
    about: "The critic's squared TD error; for distributional critics the cross-entropy or quantile loss.",
    unit: "return²",
    good: "Rises while returns grow, then falls.",
    bad: "Keeps rising while returns do not: values diverge. Lower the learning rate or scale rewards.",
  },
  "loss/model": {
    about: "Prediction error of a learned model: the next state's features, rewards, terminations.",
    unit: "loss",
    good: "Falls at first, then rises a little with new states.",
    bad: "Never falls: the features do not predict the future, so values based on them cannot either.",
  },
  "loss/cloning": {
    about: "Mean negative log-probability of a teacher's actions.",
    unit: "nats per step",
    good: "Falls towards the teacher's entropy.",
    bad: "Flat: the learning rate is too low, or the network cannot distinguish states.",
  },
  "loss/distillation": {
    about: "Mean divergence of the student's next-token distribution from the teacher's.",
    unit: "nats per token",
    good: "Falls towards 0.",
    bad: "Flat: the learning rate is too low, or the student is too small for the teacher.",
  },
  "loss/preference": {
    about: "The loss of compared completions, whose form differs between methods.",
    unit: "loss",
    good: "Falls slowly.",
    bad: "Falls to 0 within an epoch: the pairs are memorised. Lower learningRate, or raise beta.",
  },
  "preference/accuracy": {
    about:
      "Share of pairs whose chosen completion has the higher reward, before the update: the implicit reward of a policy, or that of a reward model.",
    unit: "share",
    good: "Rises from 0.5 to the agreement of the annotators, usually 0.6 to 0.8.",
    bad: "Stays at 0.5: nothing is learned. 1: the pairs are memorised.",
  },
  "preference/margin": {
    about:
      "Mean difference of the rewards of chosen and rejected completions: of a reward model, or implicit ones without beta, for most methods log-probability ratios to the reference policy.",
    unit: "nats",
    good: "Rises from 0 and levels off.",
    bad: "Grows without bound: the policy leaves the reference. Raise beta or stop earlier.",
  },
  "preference/win-rate": {
    about:
      "Mean probability that a sampled completion of the policy is preferred to the completions that it is compared with.",
    unit: "share",
    good: "Rises above 0.5 against fixed opponents; close to 0.5 in self-play.",
    bad: "Below 0.5: completions become worse than those of the opponents. Lower learningRate.",
  },
  "preference/disagreement": {
    about: "Reward models with several heads: mean standard deviation of the margin between heads.",
    unit: "reward",
    good: "Falls, and stays above 0.",
    bad: "0: the heads are equal, so the ensemble says nothing about uncertainty.",
  },
  "reward/chosen": {
    about: "Reward models: mean reward of the better completion of each compared pair.",
    unit: "reward",
    good: "Rises above reward/rejected, around 0.",
    bad: "Moves far from 0 together with reward/rejected: raise centring.",
  },
  "reward/rejected": {
    about: "Reward models: mean reward of the worse completion of each compared pair.",
    unit: "reward",
    good: "Falls below reward/chosen, around 0.",
    bad: "Rises with reward/chosen: raise centring.",
  },
  "preference/chosen": {
    about: "Mean log-probability per token of chosen completions.",
    unit: "nats per token",
    good: "Falls little.",
    bad: "Falls far while preference/margin rises: both completions become unlikely, and others take their place. Lower learningRate, or use a method with a supervised part, such as cpo or orpo.",
  },
  "preference/rejected": {
    about: "Mean log-probability per token of rejected completions.",
    unit: "nats per token",
    good: "Falls faster than preference/chosen.",
    bad: "Falls to tens of nats: the policy degenerates. Lower learningRate.",
  },
  "preference/reward": {
    about: "Mean implicit reward of a batch, by whose running mean BCO shifts rewards.",
    unit: "nats × beta",
    good: "Close to 0.",
    bad: "Far below 0: all completions become unlikely. Lower learningRate.",
  },
  "preference/divergence": {
    about:
      "KTO's estimate of the KL divergence from the reference policy, on completions of other prompts; at least 0.",
    unit: "nats",
    good: "0, or small.",
    bad: "Grows: the policy has changed on unrelated completions. Raise beta.",
  },
  "validation/loss": {
    about:
      "Supervised fine-tuning: mean negative log-probability of a teacher's tokens in held-out examples, measured every validateEvery updates. Rows in between repeat the last value. Reward models: mean negative log-likelihood of held-out preferences.",
    unit: "nats per token",
    good: "Falls, close to loss/cloning.",
    bad: "Rises while loss/cloning falls: overfitting. Stop earlier, lower learningRate, or add examples.",
  },
  "validation/accuracy": {
    about:
      "Supervised fine-tuning: share of a teacher's tokens in held-out examples that are the model's most likely token, given all tokens before. Reward models: share of held-out pairs in the right order.",
    unit: "share",
    good: "Rises towards 1.",
    bad: "Stays at the share of the most frequent token: nothing is learned.",
  },
  "validation/margin": {
    about: "Reward models: mean difference of the rewards of better and worse completions of held-out pairs.",
    unit: "reward",
    good: "Rises and levels off.",
    bad: "Grows while validation/loss rises: overconfident. Stop earlier (patience), or lower learningRate.",
  },
  "validation/calibration": {
    about:
      "Reward models: expected calibration error on held-out pairs, the mean gap between the probability of an order and how often it is right, in 10 bins. Small samples raise it.",
    unit: "share",
    good: "Below 0.05 with a thousand pairs.",
    bad: "Rises: rewards are too far apart for how often they are right. Stop earlier, or lower learningRate.",
  },
  "validation/brier": {
    about: "Reward models: mean squared error of the predicted probabilities on held-out pairs.",
    unit: "share",
    good: "Falls below 0.25, which a coin has.",
    bad: "Above 0.25: worse than a coin.",
  },
  "validation/disagreement": {
    about: "Reward models with several heads: preference/disagreement on held-out pairs.",
    unit: "reward",
    good: "Above that of training pairs.",
    bad: "0: the heads are equal.",
  },
  "validation/entropy": {
    about:
      "Supervised fine-tuning: mean entropy of the model's next-token distribution in held-out examples.",
    unit: "nats",
    good: "Falls with validation/loss.",
    bad: "Far below validation/loss: the model is overconfident. Stop earlier.",
  },
  "validation/examples": {
    about:
      "Supervised fine-tuning and reward models: number of held-out examples (texts) in validation: the option validation, or all if there are fewer.",
    unit: "examples",
    good: "32 or more.",
    bad: "A handful: differences of validation/loss are noise. Hold out more (--env-test).",
  },
  "loss/train": {
    about: "The classifier's cross-entropy on its minibatches.",
    unit: "nats",
    good: "Falls.",
    bad: "Falls while the held-out loss rises: overfitting.",
  },
  "loss/*": {
    about: "A classifier's cross-entropy on the held-out examples of that name.",
    unit: "nats",
    good: "Falls and stays low.",
    bad: "Rises: overfitting.",
  },
  "accuracy/*": {
    about: "A classifier's accuracy on the held-out examples of that name.",
    unit: "share",
    good: "Rises.",
    bad: "At most the share of the most common label: nothing is learned.",
  },
  "gradient/norm": {
    about: "Gradient norm over all weights, before clipping.",
    unit: "loss per weight",
    good: "The same order of magnitude throughout.",
    bad: "Always far above the maximum norm: clipping determines the step size. 0: nothing is learned. NaN ends the run.",
  },
  "policy/entropy": {
    about: "Mean entropy of the policy's action distribution.",
    unit: "nats",
    good: "Falls slowly while returns rise.",
    bad: "Falls to 0 early: exploration has stopped (raise entropyWeight). Does not fall at all: it does not learn. It can be negative for continuous actions.",
  },
  "policy/outside": {
    about: "How far the entropy of a step lies outside of the band that bandWeight enforces.",
    unit: "nats",
    good: "Falls, and stays below a tenth of policy/entropy.",
    bad: "As large as policy/entropy: the band is too narrow, or its centre does not follow.",
  },
  "policy/kl": {
    about:
      "KL divergence from the behaviour policy, over the minibatches of a batch (Schulman's k3 estimator, never negative).",
    unit: "nats",
    good: "0.001 to 0.02 with clipping.",
    bad: "Above 0.05: updates too large; use fewer epochs or a lower learning rate. 0: the policy does not change, or there is one update per batch.",
  },
  "policy/ratio": {
    about: "Mean importance ratio of the recorded actions.",
    unit: "ratio",
    good: "Close to 1.",
    bad: "Away from 1 by more than a few per cent: the behaviour policy and the scored policy differ.",
  },
  "policy/clipped": {
    about: "Share of steps whose importance ratio is outside the clip range.",
    unit: "share",
    good: "0.02 to 0.2.",
    bad: "Above 0.3: too many epochs, or too high a learning rate. Always 0: clipping has no effect.",
  },
  "policy/alignment": {
    about: "Mean of log-ratio times advantage: above 0 if actions with a positive advantage become likelier.",
    unit: "nats × advantage",
    good: "Slightly above 0.",
    bad: "Below 0: the gradient has the wrong sign, or advantages belong to other steps.",
  },
  "policy/variance": {
    about: "Variance of the surrogate (ratio times advantage) within a minibatch.",
    unit: "advantage²",
    good: "About 1 with normalised advantages.",
    bad: "Growing within a run: a few samples dominate the update.",
  },
  "policy/variance-kept": {
    about:
      "Variance of the surrogate among the samples that are kept, if those that raise it most are dropped.",
    unit: "advantage²",
    good: "Below `policy/variance`.",
    bad: "Near 0: almost all samples are dropped.",
  },
  "policy/stopped": {
    about: "Share of minibatches that were skipped because the KL divergence exceeded maxKl.",
    unit: "share",
    good: "Below a half.",
    bad: "Near 1: most of every batch is skipped; lower the learning rate.",
  },
  "policy/auxiliary-kl": {
    about: "KL divergence of the policy caused by the auxiliary phase, mean over its minibatches.",
    unit: "nats per step",
    good: "Well below 0.01.",
    bad: "As large as policy/kl or larger: the phase undoes the policy's progress; raise cloneWeight.",
  },
  "policy/step": {
    about: "Step taken after the line search, as a fraction of the largest step within the KL limit.",
    unit: "share",
    good: "Mostly 1, or somewhat less.",
    bad: "Often 0: no step within the limit improved. Use larger batches, or raise damping.",
  },
  "policy/reference-kl": {
    about:
      "KL divergence of the policy from its reference, the weights at the start of reinforcement learning (Schulman's k3 estimator). In the loss (klWeight above 0) it is measured in every update; otherwise, on language tasks, every klEvery updates on up to 64 completions of the last batch, and rows in between repeat the last value.",
    unit: "nats per step",
    good: "Rises slowly and levels off.",
    bad: "Rises faster than rewards: the model loses earlier abilities. Raise klWeight.",
  },
  "policy/low": {
    about: "The lower bound of importance ratios with moving bounds (balanced clipping).",
    unit: "ratio",
    good: "Moves between its ends.",
    bad: "Always at its upper end: negative advantages dominate at any bounds.",
  },
  "policy/high": {
    about: "The upper bound of importance ratios with moving bounds (balanced clipping).",
    unit: "ratio",
    good: "Moves between its ends.",
    bad: "Always at its upper end: there are too few positive advantages.",
  },
  "policy/good": {
    about: "Share of the gradient from positive advantages before the bounds move (balanced clipping).",
    unit: "share",
    good: "Near a half.",
    bad: "Near 0: almost all samples fail; start with easier problems.",
  },
  "policy/epsilon": {
    about: "Probability of a random action (epsilon-greedy).",
    unit: "share",
    good: "Falls along its schedule.",
    bad: "At its end before returns rise: explore longer.",
  },
  "policy/temperature": {
    about: "SAC's entropy temperature; tuned automatically by default.",
    unit: "reward per nat",
    good: "Falls and levels off.",
    bad: "Keeps growing: the target entropy cannot be reached.",
  },
  "policy/best": {
    about: "Share of pulls of the best arm in the last round, if the bandit reveals the means of its arms.",
    unit: "share",
    good: "Rises towards 1.",
    bad: "Stays low: it settled on another arm; explore more.",
  },
  "policy/changed": {
    about: "States whose best action changed in the last sweep of a planner.",
    unit: "states",
    good: "Falls to 0.",
    bad: "Never 0: equally good actions alternate.",
  },
  "value/mean": {
    about: "Mean value of the critic over its training data; for a planner, over all states.",
    unit: "return",
    good: "Follows the discounted returns.",
    bad: "Far above any possible return: values are overestimated and will diverge.",
  },
  "value/explained": {
    about: "Explained variance of the returns by the critic.",
    unit: "share, at most 1",
    good: "Rises above 0.5.",
    bad: "At 0: no better than the mean. Below 0: worse than the mean; the critic is harmful.",
  },
  "value/change": {
    about: "Largest change of a value in the last sweep of a planner.",
    unit: "return",
    good: "Falls geometrically, by gamma per sweep.",
    bad: "Does not fall: gamma is 1 and some path never ends.",
  },
  "replay/size": {
    about: "Transitions in the replay buffer.",
    unit: "transitions",
    good: "Rises to its capacity and stays.",
    bad: "A capacity below about ten thousand: rare transitions are lost.",
  },
  "replay/effective": {
    about:
      "Effective size of the last minibatch under the importance weights of prioritised replay, as a fraction of a uniform one.",
    unit: "share",
    good: "Above 0.3; falls somewhat as beta rises.",
    bad: "Below 0.1: a few transitions dominate. Lower alpha or beta.",
  },
  "population/mean": {
    about: "Mean return of the members of the last generation.",
    unit: "reward",
    good: "Rises, below population/best.",
    bad: "Always far below evaluation/return: members are too far from the centre. Lower sigma or noise.",
  },
  "population/best": {
    about: "Return of the best member of the last generation.",
    unit: "reward",
    good: "Rises first.",
    bad: "No better than population/mean from the beginning: all members have the same return. Raise sigma.",
  },
  "population/spread": {
    about: "Spread of the members around the centre, in a typical weight.",
    unit: "weight",
    good: "Falls once returns are high; constant if it is a setting.",
    bad: "Near 0 while returns are low: the search has narrowed too early. Use more members or more noise.",
  },
  regret: {
    about: "Cumulative regret, mean over rows, if the bandit reveals the means of its arms.",
    unit: "reward",
    good: "Grows like a logarithm.",
    bad: "Grows linearly: it keeps choosing a worse arm.",
  },
  "regret/step": {
    about: "Mean regret per pull in the last round.",
    unit: "reward",
    good: "Falls to 0.",
    bad: "Levels off above 0.",
  },
  "evaluation/return": {
    about:
      "Mean return of the greedy agent over the same evaluation episodes each time (evalEvery); determines the best agent.",
    unit: "reward",
    good: "Rises, above return/mean if exploration costs.",
    bad: "Below return/mean: the agent needs random actions (partial observability, ties).",
  },
  "evaluation/return-std": {
    about: "Standard deviation of the returns of the evaluation episodes.",
    unit: "reward",
    good: "Falls as the agent becomes reliable.",
    bad: "As large as the mean: raise evalEpisodes before comparing two runs.",
  },
  "evaluation/length": {
    about: "Mean length of the evaluation episodes.",
    unit: "steps",
    good: "As length/mean.",
    bad: "As length/mean.",
  },
  "evaluation/success": {
    about: "Success rate of the evaluation episodes, for environments with goals.",
    unit: "share",
    good: "Rises to 1, above success/mean if exploration costs.",
    bad: "As success/mean.",
  },
  "setting/*": {
    about:
      "Value of a setting: the learning rate, settings with a schedule or a controller, and settings changed during the run (reins control set).",
    unit: "as the setting",
    good: "–",
    bad: "–",
  },
};

/** The entry of a metric: under its own name, or under a name with `*`. */
export function metricEntry(name: string): MetricEntry | undefined {
  if (Object.hasOwn(glossary, name)) return glossary[name];
  const group = name.replace(/\/.*/s, "/*");
  return Object.hasOwn(glossary, group) ? glossary[group] : undefined;
}

/** The whole glossary as a Markdown table. */
export function glossaryTable(): string {
  const rows = Object.entries(glossary).map(
    ([name, { about, unit, good, bad }]) => `| \`${name}\` | ${about} | ${unit} | ${good} | ${bad} |`,
  );
  return ["| metric | what it is | unit | good | bad |", "| --- | --- | --- | --- | --- |", ...rows].join(
    "\n",
  );
}
