/** A mean with its uncertainty: the result of every evaluation, of a policy, a dataset or a run. */
export interface Estimate {
  readonly mean: number;
  /** Standard deviation between the samples (episodes, seeds). */
  readonly std: number;
  readonly count: number;
  /** 95% confidence interval of the mean. */
  readonly interval: Bounds;
}

/** A lower and an upper bound. */
export type Bounds = readonly [low: number, high: number];

/** Measures a property of `T`; asynchronous if `R` is a promise. */
export type Evaluation<T, R = Estimate | Promise<Estimate>> = (subject: T) => R;

/** Called repeatedly during long work to yield to the event loop; a promise it returns is awaited, and an error it throws ends the work. */
export type YieldHook = () => Promise<void> | undefined;

/** Result of an evaluation: the mean return, and every episode behind it. */
export interface EvaluationResult extends Estimate {
  readonly returns: Float64Array;
  readonly lengths: Float64Array;
  /** Episodes that had not ended at the step limit of the evaluation (`maxSteps`), where there were some; their returns are of the steps until then. */
  readonly unfinished?: number;
  /** Number of distinct problems of a language task, where some were repeated. The interval counts all as independent, so it is too narrow. */
  readonly distinct?: number;
  /** Whether returns are log-probabilities per token of held-out examples, instead of scores of the model's own answers. */
  readonly likelihood?: boolean;
  /** Measures of a reward model on held-out pairs; returns are then 1 for a pair in the right order, 0 for others and ½ for ties. */
  readonly pairs?: PairMeasures;
  /** Success rate: the share of episodes whose last step reached the goal, where there are goals. */
  readonly success?: number;
  /** 95% confidence interval of the success rate. */
  readonly successInterval?: Bounds;
  /** Prompts and answers of language tasks: one per problem, the first sample if there are several. */
  readonly answers?: readonly EvaluatedAnswer[];
  /** Aggregate measures of the answers of language tasks: pass@k, majority vote, calibration, entropy. */
  readonly measures?: AnswerMeasures;
}

/** A problem of a language task with the agent's answer. */
export interface EvaluatedAnswer {
  readonly prompt: string;
  readonly answer: string;
  readonly score: number;
  /** A reference answer. */
  readonly right: string;
  /** The components of the score, by name. */
  readonly terms?: { readonly [name: string]: number };
}

/** How well the rewards of a model agree with held-out preferences, of which the Bradley-Terry model gives the probabilities. */
export interface PairMeasures {
  /** Share of pairs whose preferred text has the higher reward; ties count half. */
  readonly accuracy: number;
  /** Mean negative log-likelihood of the preferences, in nats. */
  readonly loss: number;
  /** Mean difference of the rewards of preferred and other texts. */
  readonly margin: number;
  /** Expected calibration error: the mean gap between the probability of the more probable order and its frequency, in 10 bins. */
  readonly calibration: number;
  /** Brier score: the mean squared error of the probabilities, from 0 (perfect) through ¼ (coin) to 1. */
  readonly brier: number;
  /** Mean standard deviation of the margin between the heads of an ensemble. */
  readonly disagreement?: number;
}

/** Aggregate measures over the answers to many problems, with an equal number of answers per problem. */
export interface AnswerMeasures {
  /** Answers per problem. */
  readonly samples: number;
  /** pass@1, pass@2 and so on, up to the number of samples: the probability that at least one of k answers is correct (a score of at least 1). pass@1 is the accuracy. */
  readonly pass: readonly number[];
  /** maj@k for all samples: the share of problems whose most common answer is correct. */
  readonly majority: number;
  /** Expected calibration error: the mean gap between confidence and accuracy. */
  readonly calibration: number;
  /** Mean token entropy in nats; every answer has equal weight. */
  readonly entropy: number;
  /** Means of other counts per answer: turns and tool calls of conversations, components of the score. */
  readonly counts?: { readonly [name: string]: number };
}
