/** Types of the recipe routes. NaN and infinities are null. */

/** The state of a system: the verdict on its headline, or the progress of its recipe. */
export type RecipeState =
  | "shown"
  | "towards"
  | "negligible"
  | "undecided"
  | "against"
  | "reversed"
  | "untestable"
  | "mapped"
  | "not run"
  | "to write";

/** How well a system is measured. */
export type RecipeLevel = "mapped" | "works" | "measured" | "replicated";

/** An effect with its 95% interval. Ratios are logarithms. */
export interface RecipeEffect {
  /** The arms that are compared. */
  readonly label: string;
  readonly verdict: RecipeState;
  /** The kind of effect: difference, ratio or value; empty if the text says it. */
  readonly kind: string;
  /** The effect as text. */
  readonly text: string;
  readonly note?: string;
  readonly isRatio: boolean;
  readonly estimate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** No effect: 0, or the claimed value. */
  readonly middle: number;
  /** The smallest relevant effect; null for claims about a bound. */
  readonly size: number | null;
  /** The range that contains the interval of a shown claim; null is unbounded. */
  readonly shown: readonly [number | null, number | null];
}

/** A system in the table. */
export interface RecipeLine {
  readonly id: string;
  readonly title: string;
  readonly family: readonly string[];
  /** Whether it is a comparison of our own, not a published system. */
  readonly isOwn: boolean;
  readonly state: RecipeState;
  /** Absent if it was never run. */
  readonly level?: RecipeLevel;
  /** The claims with their decisive effects, headline first, and the number of replicates. */
  readonly measured?: {
    readonly claims: readonly {
      readonly text: string;
      readonly verdict: RecipeState;
      readonly effect: RecipeEffect;
    }[];
    readonly seeds: number;
  };
  /** Why its result cannot be read, or its recipe cannot be loaded. */
  readonly problem?: string;
}

/** All systems of the book. */
export interface RecipeListing {
  readonly recipes: readonly RecipeLine[];
  /** Why there are no recipes, and what to do. */
  readonly missing?: string;
}

/** A column of a plot, with a point for each replicate: values of an arm, or its differences from another. */
export interface RecipeColumn {
  readonly label: string;
  /** The metric, if the columns differ in it. */
  readonly about?: string;
  readonly side: string;
  readonly metric: string;
  readonly less?: string;
}

/** A claim with its reasons, verdict and effects. */
export interface RecipeClaim {
  readonly text: string;
  readonly verdict: RecipeState;
  readonly note?: string;
  /** Why this effect is relevant. */
  readonly because: string;
  /** The paper's own effect. */
  readonly paper?: string;
  /** The effects of the claim, over the blocks that enter the verdict. */
  readonly effects: readonly (RecipeEffect & {
    /** The effect in each block. */
    readonly blocks: readonly RecipeEffect[];
    /** The values that it is computed from. */
    readonly columns: readonly RecipeColumn[];
    readonly isScatter: boolean;
  })[];
}

/** A block of evaluation seeds, with all values of all arms. */
export interface RecipeBlock {
  readonly firstSeed: number;
  readonly replicates: readonly string[];
  /** Whether it is a check that does not enter the verdict. */
  readonly isCheck: boolean;
  readonly values: Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>;
  /** Diverged replicates, by arm, with the reason. */
  readonly failed?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Settings of an arm, as text or numbers. */
export type RecipeSettings = Readonly<Record<string, unknown>>;

/** An arm of a comparison. */
export interface RecipeArm {
  readonly name: string;
  readonly role: "system" | "baseline" | "ablation";
  readonly settings: RecipeSettings;
  /** Tuning: the points with their values on the tuning seeds, and the points that tied with the best. */
  readonly points?: readonly {
    readonly settings: RecipeSettings;
    readonly values: readonly (number | null)[];
  }[];
  readonly rivals?: readonly RecipeSettings[];
  readonly edges?: readonly string[];
}

/** An earlier measurement. */
export interface RecipeAttempt {
  readonly measuredAt: string;
  readonly seeds: readonly [first: number, last: number];
  readonly claims: readonly string[];
  readonly because: string;
}

/** The result of a recipe. */
export interface RecipeResult {
  readonly claims: readonly RecipeClaim[];
  readonly metrics: Readonly<Record<string, { readonly about: string; readonly better: "higher" | "lower" }>>;
  /** The metric that arms were tuned on. */
  readonly tuned: string;
  readonly sides: readonly RecipeArm[];
  readonly blocks: readonly RecipeBlock[];
  readonly plan: { readonly replicates: number; readonly needed: number; readonly most?: number };
  /** Earlier verdicts on the same values, and why they changed. */
  readonly judgedBefore: readonly { readonly verdicts: readonly string[]; readonly because: string }[];
  readonly measuredAt: string;
  readonly machine: string;
  readonly wallSeconds: number;
  readonly processorSeconds: number;
}

/** A recipe with its result, history and source. */
export interface RecipeDetail extends RecipeLine {
  /** Texts of the recipe; absent if it could not be loaded. */
  readonly said?: {
    readonly about: string;
    readonly source?: string;
    readonly budget?: string;
    readonly deviations: readonly string[];
    readonly tried: readonly string[];
    /** Of a survey: its methods with their parts, one text per topic. */
    readonly covers: readonly string[];
    readonly finding?: string;
  };
  readonly result?: RecipeResult;
  readonly verified?: string;
  readonly history: readonly RecipeAttempt[];
  /** The path of the recipe within the book, and its source. */
  readonly file?: string;
  readonly code?: string;
}

/** Reads the recipe book. */
export interface RecipeBook {
  list(): Promise<RecipeListing>;
  /** One system; undefined if it does not exist. */
  one(id: string): Promise<RecipeDetail | undefined>;
}
