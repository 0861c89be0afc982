/** What a metric says. */
export interface MetricEntry {
  readonly about: string;
  /** What one of it is. */
  readonly unit: string;
  /** How it goes where all is well. */
  readonly good: string;
  /** What is a sign of trouble, and of which. */
  readonly bad: string;
}

/**
 * Every metric that comes with Reins, by the name that it has in rows, in plots and in signals that follow it. A `*` stands for a name that
 * somebody else gives. `docs/metrics.md` is made of this table, and a test compares it with what algorithms measure.
 */
export const glossary: { readonly [name: string]: MetricEntry } = {
  step: {
    about:
      "Environment steps taken, over all copies of the environment; in words, tokens; for planners, sweeps.",
    unit: "steps",
    good: "Rises from row to row.",
    bad: "–",
  },
  episodes: {
    about: "Episodes that have ended.",
    unit: "episodes",
    good: "Rises steadily.",
    bad: "0 for long: episodes never end, and returns are not known. Give the environment maxSteps.",
  },
  updates: {
    about:
      "Updates of the weights so far: minibatches of the replay, batches of whole episodes, or generations.",
    unit: "updates",
    good: "Rises at a constant rate once learning has begun.",
    bad: "0: there is not enough in the replay yet (learningStarts), or no batch tells anything.",
  },
  epoch: {
    about:
      "Passes over the listed problems so far, where training goes through a list (a file of JSON lines).",
    unit: "epochs",
    good: "Rises at a constant rate to the number of epochs.",
    bad: "Far above 3 while validation/loss rises: the examples are learned by heart. Stop earlier, or give more of them.",
  },
  "return/mean": {
    about:
      "Mean return of the last 100 episodes of training, exploration included, as the environment paid it. In words without an environment, the judge's reward.",
    unit: "reward",
    good: "Rises, in jumps or slowly, and stays.",
    bad: "Flat from the beginning: nothing is found to learn from. A fall after a rise: steps too large, or the critic lost.",
  },
  "return/std": {
    about: "Standard deviation of the returns of the same episodes.",
    unit: "reward",
    good: "Largest while the agent is learning, then small if the environment is not random.",
    bad: "0 from the beginning: every episode is the same to the agent, so that no action looks better than another.",
  },
  "length/mean": {
    about: "Mean length of the last 100 episodes; in words, tokens of an answer.",
    unit: "steps",
    good: "Rises where lasting is paid, falls where time costs.",
    bad: "At the limit of the environment, with a low return: the agent learned to do nothing. In words, always the longest answer: answers are cut off.",
  },
  "success/mean": {
    about:
      "Share of the last 100 episodes of training whose last step reached the goal, where an environment has goals.",
    unit: "share",
    good: "Rises to 1, late and then fast.",
    bad: "0 for long: no goal is ever reached, and there is nothing to learn from. Turn on hindsight, or give a dense reward.",
  },
  "reward/mean": {
    about: "Mean reward: of an episode as the judge saw it in the last round, or for bandits of one pull.",
    unit: "reward",
    good: "Rises.",
    bad: "Rises while answers become worse to read: the judge is exploited.",
  },
  "reward/std": {
    about: "Standard deviation of the rewards of the last round's episodes.",
    unit: "reward",
    good: "Well above 0 while there is something to learn.",
    bad: "0: all episodes earn the same, and nothing can be learned from comparing them.",
  },
  "score/mean": {
    about: "Mean score of the last round's episodes, where the judge gives one beside the reward.",
    unit: "score",
    good: "Rises with the reward.",
    bad: "Stays where it is while the reward rises: the reward is exploited.",
  },
  "reward/flat": {
    about: "Share of groups all of whose plays earned the same: comparing them teaches nothing.",
    unit: "share",
    good: "Below a half; rises as problems are solved.",
    bad: "Near 1 from the beginning: problems are too hard or too easy, or the judge pays everything alike.",
  },
  "reward/*": {
    about:
      "A term of the reward by its name, as the judge gives it: its mean over the last round's episodes.",
    unit: "reward",
    good: "The terms that matter rise.",
    bad: "One rises while the one that matters falls: it is easier to earn. Make it count less.",
  },
  "length/truncated": {
    about: "Share of the last round's episodes that were cut off at their limit.",
    unit: "share",
    good: "Near 0 in words.",
    bad: "Near 1: answers never end. Allow longer ones, or begin with a model that ends them.",
  },
  "length/prompt-p50": {
    about:
      "Median of the length of prompts in the last batch, up to the first token that is generated or imitated.",
    unit: "tokens",
    good: "Constant: it is a property of the problems.",
    bad: "Rises with a curriculum alone.",
  },
  "length/prompt-p95": {
    about:
      "95th percentile of the length of prompts in the last batch, up to the first token that is generated or imitated.",
    unit: "tokens",
    good: "Well below the context of the model.",
    bad: "Near the context: little room is left for answers.",
  },
  "length/prompt-max": {
    about:
      "Maximum of the length of prompts in the last batch, up to the first token that is generated or imitated.",
    unit: "tokens",
    good: "Below the context of the model, with room for an answer.",
    bad: "At the context: answers are cut off.",
  },
  "length/completion-p50": {
    about:
      "Median of the length of completions in the last batch (generated, or imitated in supervised fine-tuning).",
    unit: "tokens",
    good: "Changes slowly.",
    bad: "Rises without a higher reward: length is rewarded.",
  },
  "length/completion-p95": {
    about:
      "95th percentile of the length of completions in the last batch (generated, or imitated in supervised fine-tuning).",
    unit: "tokens",
    good: "Well below the limit.",
    bad: "At the limit: one answer in twenty is cut off. Allow longer ones.",
  },
  "length/completion-max": {
    about:
      "Maximum of the length of completions in the last batch (generated, or imitated in supervised fine-tuning).",
    unit: "tokens",
    good: "Below the limit (--env-max-tokens).",
    bad: "At the limit while length/truncated is above 0.",
  },
  "judge/malformed": {
    about: "Share of answers without the form that was asked for, where a judge looks at the form.",
    unit: "share",
    good: "Falls first.",
    bad: "Stays high: nothing that is right can be told from what is wrong. Imitate first, or pay for the form.",
  },
  "judge/failed": {
    about:
      "Share of episodes that the judge could not judge (a sandbox that broke, an answer that no verifier takes).",
    unit: "share",
    good: "0.",
    bad: "Above a few per cent: what is learned is how to avoid the judge.",
  },
  "batch/kept": {
    about: "Share of the episodes played that was learned from, after the selection.",
    unit: "share",
    good: "Well above 0, changing slowly.",
    bad: "Near 0: most problems are always or never solved, and time is spent on what teaches nothing.",
  },
  "batch/plays": {
    about: "Plays of a problem since the last update, where problems are played several times: their mean.",
    unit: "plays",
    good: "As plays says; more where problems are played on until they tell something.",
    bad: "Many times that: most that is played is not learned from. Take easier or harder problems.",
  },
  "batch/groups": {
    about: "Problems of which something was learned in the last update, where they are played several times.",
    unit: "problems",
    good: "As groups says, or somewhat fewer where those without differences are left out.",
    bad: "Near 0: every problem is always or never solved.",
  },
  "loss/total": {
    about: "The sum of all terms of the loss, as it is minimised.",
    unit: "loss",
    good: "Bounded. It need not fall: its targets move.",
    bad: "NaN ends the run. Growing without bound: the learning rate is too high.",
  },
  "loss/policy": {
    about: "The policy's term of the loss.",
    unit: "loss",
    good: "Small, around 0; for SAC minus the value of what it does, so that it falls as returns rise.",
    bad: "Large and jumping: advantages are not normalised, or steps are too large.",
  },
  "loss/auxiliary": {
    about: "Half the squared error of the return that the policy's network guesses, in the auxiliary phase.",
    unit: "return²",
    good: "Falls to about what loss/value is.",
    bad: "Much larger than loss/value: the phase is too short, or its steps too small.",
  },
  "loss/imitation": {
    about:
      "Self-imitation: what the policy loses on past steps that went better than expected, the critic's part included.",
    unit: "reward · nats",
    good: "Small once the policy does what once went well.",
    bad: "Large for long: the policy cannot repeat what once went well. It was chance, or imitationWeight is too low.",
  },
  "imitation/better": {
    about:
      "Self-imitation: share of the last minibatch whose returns were above what the critic expects. Such steps are drawn more often, so it says little until few are left.",
    unit: "share",
    good: "Falls in the end, when the critic knows what is possible.",
    bad: "0 from the beginning: the critic expects more than was ever earned, and nothing is imitated.",
  },
  "loss/quantiles": {
    about: "The error of the quantiles that inform a critic, in the last minibatch that they learned from.",
    unit: "loss",
    good: "Falls to what the spread of returns leaves, which is not 0.",
    bad: "Rises for long: the quantiles run away from their own target network. Their steps are too large.",
  },
  "loss/value": {
    about:
      "The critic's squared error between its values and their targets; for distributional critics their cross-entropy or quantile loss.",
    unit: "return²",
    good: "Rises while returns grow, then falls.",
    bad: "Rises for ever while returns do not: values diverge. Lower the learning rate or scale rewards.",
  },
  "loss/model": {
    about:
      "How wrong a learned model is about what follows: the next state's features, rewards, whether episodes end.",
    unit: "loss",
    good: "Falls at first, then rises a little with what is new.",
    bad: "Never falls: the features carry nothing about the future, and values that are made of them cannot either.",
  },
  "loss/cloning": {
    about: "Mean negative log-probability of what a teacher did.",
    unit: "nats a step",
    good: "Falls towards what is random in the teacher.",
    bad: "Flat: the learning rate is too low, or the network cannot tell states apart.",
  },
  "validation/loss": {
    about:
      "Supervised fine-tuning: mean negative log-probability of a teacher's tokens in held-out examples, measured every validateEvery updates. Rows in between repeat the last value.",
    unit: "nats a token",
    good: "Falls, close to loss/cloning.",
    bad: "Rises while loss/cloning falls: it overfits. Stop earlier, lower learningRate, or give more examples.",
  },
  "validation/accuracy": {
    about:
      "Supervised fine-tuning: share of a teacher's tokens in held-out examples that are the model's most likely token, given all tokens before.",
    unit: "share",
    good: "Rises towards 1.",
    bad: "Stays at the share of the most frequent token: nothing is learned.",
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
      "Supervised fine-tuning: number of held-out examples that validation is measured on: as many as validation asks for, or as there are.",
    unit: "examples",
    good: "32 or more.",
    bad: "A handful: differences of validation/loss are noise. Hold out more (--env-test).",
  },
  "loss/train": {
    about: "The classifier's cross-entropy on its minibatches.",
    unit: "nats",
    good: "Falls.",
    bad: "Falls while that of held examples rises: it learns by heart.",
  },
  "loss/*": {
    about: "A classifier's cross-entropy on held examples of that name.",
    unit: "nats",
    good: "Falls and stays low.",
    bad: "Rises: it fits too closely.",
  },
  "accuracy/*": {
    about: "Share of held examples of that name that a classifier labels rightly.",
    unit: "share",
    good: "Rises.",
    bad: "No more than the share of the commonest label: nothing is learned.",
  },
  "gradient/norm": {
    about: "Length of the gradient over all weights, before it is clipped.",
    unit: "loss a weight",
    good: "Of one order of magnitude throughout.",
    bad: "Far above the clip all the time: the clip sets the step size. 0: nothing is learned. NaN ends the run.",
  },
  "policy/entropy": {
    about: "How undecided the policy is: mean entropy of its actions.",
    unit: "nats",
    good: "Falls slowly while returns rise.",
    bad: "Falls to 0 early: it stopped exploring (raise entropyWeight). Does not fall at all: it does not learn. Continuous actions may have less than 0.",
  },
  "policy/outside": {
    about: "How far the entropy of a step lies outside of the band that bandWeight holds it in.",
    unit: "nats",
    good: "Falls, and stays below a tenth of policy/entropy.",
    bad: "Of the size of policy/entropy: the band is too narrow, or its middle does not follow.",
  },
  "policy/kl": {
    about:
      "How far the policy has moved from the one that acted, over the minibatches of a batch (Schulman's estimator, never negative).",
    unit: "nats",
    good: "0.001 to 0.02 with clipping.",
    bad: "Above 0.05: steps too large; fewer epochs or a lower learning rate. 0: nothing moves, or there is one update a batch.",
  },
  "policy/ratio": {
    about: "Mean ratio of new to old probability of what was done.",
    unit: "ratio",
    good: "Close to 1.",
    bad: "Away from 1 by more than a few per cent: what was played and what is scored are not the same policy.",
  },
  "policy/clipped": {
    about: "Share of steps whose ratio lies outside the clip and teaches nothing more.",
    unit: "share",
    good: "0.02 to 0.2.",
    bad: "Above 0.3: too many passes over a batch, or too large steps. Always 0: the clip does nothing.",
  },
  "policy/alignment": {
    about: "Mean of log-ratio times advantage: above 0 when actions that did well become likelier.",
    unit: "nats × advantage",
    good: "Slightly above 0.",
    bad: "Below 0: the gradient has the wrong sign, or advantages belong to other steps.",
  },
  "policy/variance": {
    about: "Variance of the surrogate (ratio times advantage) within a minibatch.",
    unit: "advantage²",
    good: "About 1 with normalised advantages.",
    bad: "Growing within a run: a few samples rule the update.",
  },
  "policy/variance-kept": {
    about: "The same of the samples that are kept, where those that raise it most are left out.",
    unit: "advantage²",
    good: "Below `policy/variance`.",
    bad: "Near 0: hardly anything is learned from.",
  },
  "policy/stopped": {
    about: "Share of minibatches that were left out because the policy had moved further than maxKl.",
    unit: "share",
    good: "Below a half.",
    bad: "Near 1: most of every batch is thrown away; lower the learning rate.",
  },
  "policy/auxiliary-kl": {
    about: "How far the auxiliary phase moved what the policy does, on average over its minibatches.",
    unit: "nats a step",
    good: "Well below 0.01.",
    bad: "As large as policy/kl or larger: the phase undoes what was learned; raise cloneWeight.",
  },
  "policy/step": {
    about:
      "How much of the longest step that the limit on the divergence allows was taken, after the line search.",
    unit: "share",
    good: "Mostly 1, or somewhat less.",
    bad: "Often 0: no step improved within the limit. Take larger batches, or raise damping.",
  },
  "policy/reference-kl": {
    about:
      "KL divergence of the policy from its reference, the weights that reinforcement learning began with (Schulman's estimator k3). In the loss (klWeight above 0) it is measured in every update; otherwise, on language tasks, every klEvery updates on up to 64 completions of the last batch, and rows in between repeat the last value.",
    unit: "nats a step",
    good: "Rises slowly and levels off.",
    bad: "Rises faster than rewards: the model forgets what it could do. Raise klWeight.",
  },
  "policy/low": {
    about: "The lower bound of ratios where bounds move (balanced clipping).",
    unit: "ratio",
    good: "Moves between its ends.",
    bad: "Always at its upper end: bad actions outweigh good ones, whatever the bounds.",
  },
  "policy/high": {
    about: "The upper bound of ratios where bounds move (balanced clipping).",
    unit: "ratio",
    good: "Moves between its ends.",
    bad: "Always at its upper end: there is too little that went well.",
  },
  "policy/good": {
    about: "Share of the gradient that good actions had before the bounds moved (balanced clipping).",
    unit: "share",
    good: "Near a half.",
    bad: "Near 0: almost everything goes wrong; begin with easier problems.",
  },
  "policy/epsilon": {
    about: "Probability of a random action.",
    unit: "share",
    good: "Falls as its schedule says.",
    bad: "At its end before returns rise: explore for longer.",
  },
  "policy/temperature": {
    about: "What SAC pays for a nat of entropy; it sets it itself unless told.",
    unit: "reward a nat",
    good: "Falls and levels off.",
    bad: "Grows for ever: the wished entropy cannot be reached.",
  },
  "policy/best": {
    about: "Share of pulls of the best arm in the last round, where the bandit shows what its arms pay.",
    unit: "share",
    good: "Rises towards 1.",
    bad: "Stays at a low number: it settled on another arm; explore more.",
  },
  "policy/changed": {
    about: "States whose best action changed in the last sweep of a planner.",
    unit: "states",
    good: "Falls to 0.",
    bad: "Never 0 where values still change: equal actions take turns.",
  },
  "value/mean": {
    about: "Mean value that the critic gives to what it learns from; for a planner, over all states.",
    unit: "return",
    good: "Follows the discounted returns.",
    bad: "Far above any possible return: values are overestimated and will diverge.",
  },
  "value/explained": {
    about: "Share of the returns' variance that the critic explains.",
    unit: "share, at most 1",
    good: "Rises above 0.5.",
    bad: "At 0: no better than the mean. Below 0: worse than that; the critic harms.",
  },
  "value/change": {
    about: "Largest change of a value in the last sweep of a planner.",
    unit: "return",
    good: "Falls geometrically, by gamma a sweep.",
    bad: "Does not fall: gamma is 1 and some way never ends.",
  },
  "replay/size": {
    about: "Transitions in the replay.",
    unit: "transitions",
    good: "Rises to its capacity and stays.",
    bad: "A capacity below some ten thousand: what is rare is forgotten.",
  },
  "replay/effective": {
    about:
      "As how large a share of a uniform minibatch the last one counts, by the importance weights of prioritised replay.",
    unit: "share",
    good: "Above 0.3; falls somewhat as beta rises.",
    bad: "Below 0.1: a few entries are all that is learned from. Lower alpha, or beta.",
  },
  "population/mean": {
    about: "Mean return of the members of the last generation, as they were compared.",
    unit: "reward",
    good: "Rises, below population/best.",
    bad: "Far below evaluation/return for ever: members lie too far from the centre. Lower sigma, or noise.",
  },
  "population/best": {
    about: "Return of the best member of the last generation.",
    unit: "reward",
    good: "Rises first.",
    bad: "No better than population/mean from the beginning: no member differs in what it earns. Raise sigma.",
  },
  "population/spread": {
    about: "How far members lie from the centre, in a typical weight.",
    unit: "weight",
    good: "Falls once returns are high; constant where it is a setting.",
    bad: "Near 0 while returns are low: the search has narrowed too soon. Take more members, or more noise.",
  },
  regret: {
    about:
      "What was lost since the beginning by not pulling the best arm, mean over rows, where the bandit shows what its arms pay.",
    unit: "reward",
    good: "Grows like a logarithm.",
    bad: "Grows in a straight line: it goes on choosing a worse arm.",
  },
  "regret/step": {
    about: "What a pull of the last round lost against the best arm, on average.",
    unit: "reward",
    good: "Falls to 0.",
    bad: "Levels off above 0.",
  },
  "evaluation/return": {
    about:
      "Mean return of the agent without exploration over the same fresh episodes each time (evalEvery); the best agent is kept by it.",
    unit: "reward",
    good: "Rises, ahead of return/mean where exploration costs.",
    bad: "Below return/mean: the agent needs its chance (partial observation, ties).",
  },
  "evaluation/return-std": {
    about: "Standard deviation of the returns of those episodes.",
    unit: "reward",
    good: "Falls as the agent becomes reliable.",
    bad: "As large as the mean: take more evalEpisodes before comparing two runs.",
  },
  "evaluation/length": {
    about: "Mean length of those episodes.",
    unit: "steps",
    good: "As length/mean.",
    bad: "As length/mean.",
  },
  "evaluation/success": {
    about: "Share of those episodes whose last step reached the goal, where an environment has goals.",
    unit: "share",
    good: "Rises to 1, ahead of success/mean where exploration costs.",
    bad: "As success/mean.",
  },
  "setting/*": {
    about:
      "Value of a setting: the learning rate, settings that move (a schedule, a controller), and settings that were changed from outside (reins control set).",
    unit: "as the setting",
    good: "–",
    bad: "–",
  },
};

/** The entry of a metric: under its own name, or under one with a `*` in it. */
export function metricEntry(name: string): MetricEntry | undefined {
  if (Object.hasOwn(glossary, name)) return glossary[name];
  const group = name.replace(/\/.*/s, "/*");
  return Object.hasOwn(glossary, group) ? glossary[group] : undefined;
}

/** The whole glossary as a table in Markdown. */
export function glossaryTable(): string {
  const rows = Object.entries(glossary).map(
    ([name, { about, unit, good, bad }]) => `| \`${name}\` | ${about} | ${unit} | ${good} | ${bad} |`,
  );
  return [
    "| metric | what it is | unit | a good course | a bad one |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}
