/** A mean with its uncertainty: the result of every evaluation, of a policy, a dataset or a run. */
export interface Estimate {
  readonly mean: number;
  /** Standard deviation between the samples (episodes, seeds). */
  readonly std: number;
  readonly count: number;
  /** 95% confidence interval of the mean. */
  readonly interval: Bounds;
}

/** The lowest and the highest value. */
export type Bounds = readonly [low: number, high: number];

/** Measures something of `T`; where that takes a while, `R` is a promise. */
export type Evaluation<T, R = Estimate | Promise<Estimate>> = (subject: T) => R;

/** Called again and again during something long; what it returns is waited for, and what it throws ends it. */
export type Breath = () => Promise<void> | undefined;

/** What an evaluation found: the mean return, and every episode behind it. */
export interface Evaluated extends Estimate {
  readonly returns: Float64Array;
  readonly lengths: Float64Array;
  /** Episodes that had not ended at the step limit of the evaluation (`maxSteps`), where there were some; their returns are of the steps until then. */
  readonly unfinished?: number;
  /** Success rate: the share of episodes whose last step reached the goal, where there are goals. */
  readonly success?: number;
  /** 95% confidence interval of the success rate. */
  readonly successInterval?: Bounds;
  /** What was asked and answered, where episodes are texts: one for each, the first where several were drawn. */
  readonly answers?: readonly MeasuredAnswer[];
  /** What the answers say together, where episodes are texts: pass@k, the majority's answer, calibration, entropy. */
  readonly measures?: AnswerMeasures;
}

/** A problem in words that an agent was measured by. */
export interface MeasuredAnswer {
  readonly prompt: string;
  readonly answer: string;
  readonly score: number;
  /** One right answer. */
  readonly right: string;
  /** What the score is made of, by name. */
  readonly terms?: { readonly [name: string]: number };
}

/** What answers to many problems say together, as many of each. */
export interface AnswerMeasures {
  /** Answers to each problem. */
  readonly samples: number;
  /** pass@1, pass@2 and so on, up to the number of samples: how likely one of so many answers is right. The first is the share of right ones. */
  readonly pass: readonly number[];
  /** maj@k for all samples: the share of problems whose commonest answer is right. */
  readonly majority: number;
  /** Expected calibration error: how far confidence and share of right answers lie apart. */
  readonly calibration: number;
  /** Mean entropy of a token, answers counting alike, in nats. */
  readonly entropy: number;
  /** What else is counted of each, as means: turns and calls of conversations, terms of the score. */
  readonly counts?: { readonly [name: string]: number };
}
