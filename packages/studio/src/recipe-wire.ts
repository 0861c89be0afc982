/** What the server and the page say to each other about recipes. Numbers that JSON lacks are null. */

/** How a system of the book stands: the verdict on its headline, or how far its recipe is. */
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

/** An effect with its 95% interval. Those of factors are logarithms. */
export interface RecipeEffect {
  /** Who is compared with whom. */
  readonly label: string;
  readonly verdict: RecipeState;
  /** What the numbers are: a difference, a factor, a value; empty where the text says it. */
  readonly kind: string;
  /** The numbers as people read them. */
  readonly text: string;
  readonly note?: string;
  readonly isRatio: boolean;
  readonly estimate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** No effect: 0, or the value that is claimed. */
  readonly middle: number;
  /** The smallest effect that counts; null where a bound is claimed, and no size. */
  readonly size: number | null;
  /** Where all of the interval lies if the claim is shown; null is without end. */
  readonly shown: readonly [number | null, number | null];
}

/** A system in the table. */
export interface RecipeLine {
  readonly id: string;
  readonly title: string;
  readonly family: readonly string[];
  /** Whether it is a comparison of the book's own, and no published system. */
  readonly isOwn: boolean;
  readonly state: RecipeState;
  /** What was measured: the claims, the headline first, each with the effect that decides; and how many replicates they rest on. */
  readonly measured?: {
    readonly claims: readonly {
      readonly text: string;
      readonly verdict: RecipeState;
      readonly effect: RecipeEffect;
    }[];
    readonly seeds: number;
  };
  /** Why what is recorded of it cannot be read, or its recipe cannot be loaded. */
  readonly problem?: string;
}

/** All systems of the book. */
export interface RecipeListing {
  readonly recipes: readonly RecipeLine[];
  /** Why there are none, and what to do. */
  readonly missing?: string;
}

/** Values that are drawn in one column, a point for each replicate: those of a side, or how far it is above another. */
export interface RecipeColumn {
  readonly label: string;
  /** What it is a value of, where the columns differ in that. */
  readonly about?: string;
  readonly side: string;
  readonly metric: string;
  readonly less?: string;
}

/** A claim, what it rests on, and what the seeds say of it. */
export interface RecipeClaim {
  readonly text: string;
  readonly verdict: RecipeState;
  readonly note?: string;
  /** Why just this size counts. */
  readonly because: string;
  /** The paper's own effect. */
  readonly paper?: string;
  /** The effects that are claimed together, one or several, by the blocks that count. */
  readonly effects: readonly (RecipeEffect & {
    /** The same by each block alone. */
    readonly blocks: readonly RecipeEffect[];
    /** What it is found of. */
    readonly columns: readonly RecipeColumn[];
    readonly isScatter: boolean;
  })[];
}

/** A block of evaluation seeds, with every value of every side. */
export interface RecipeBlock {
  readonly firstSeed: number;
  readonly replicates: readonly string[];
  /** Whether it is a check that no verdict rests on. */
  readonly isCheck: boolean;
  readonly values: Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>;
  /** Replicates that diverged, by side, and how. */
  readonly failed?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A setting of a side, as text or number. */
export type RecipeSettings = Readonly<Record<string, unknown>>;

/** One of the things that are compared. */
export interface RecipeSide {
  readonly name: string;
  readonly role: "system" | "baseline" | "ablation";
  readonly settings: RecipeSettings;
  /** How it was tuned: the points that were tried with the values of the tuning seeds, and those that might as well have been taken. */
  readonly points?: readonly {
    readonly settings: RecipeSettings;
    readonly values: readonly (number | null)[];
  }[];
  readonly rivals?: readonly RecipeSettings[];
  readonly edges?: readonly string[];
}

/** A form that was measured before. */
export interface RecipeAttempt {
  readonly measuredAt: string;
  readonly seeds: readonly [first: number, last: number];
  readonly claims: readonly string[];
  readonly because: string;
}

/** What was measured of a recipe. */
export interface RecipeResult {
  readonly claims: readonly RecipeClaim[];
  readonly metrics: Readonly<Record<string, { readonly about: string; readonly better: "higher" | "lower" }>>;
  /** The metric that sides were tuned on. */
  readonly tuned: string;
  readonly sides: readonly RecipeSide[];
  readonly blocks: readonly RecipeBlock[];
  readonly plan: { readonly replicates: number; readonly needed: number; readonly most?: number };
  /** Earlier verdicts on the same values, and why they changed. */
  readonly judgedBefore: readonly { readonly verdicts: readonly string[]; readonly because: string }[];
  readonly measuredAt: string;
  readonly machine: string;
  readonly wallSeconds: number;
  readonly processorSeconds: number;
}

/** All that there is to know of a recipe. */
export interface RecipeDetail extends RecipeLine {
  /** What the recipe says of itself; absent where it could not be loaded. */
  readonly said?: {
    readonly about: string;
    readonly source?: string;
    readonly budget?: string;
    readonly deviations: readonly string[];
    readonly tried: readonly string[];
    readonly covers: readonly string[];
    readonly finding?: string;
  };
  readonly result?: RecipeResult;
  readonly verified?: string;
  readonly history: readonly RecipeAttempt[];
  /** The file of the recipe, from the folder of the book, and its text. */
  readonly file?: string;
  readonly code?: string;
}

/** Who knows the recipe book. */
export interface RecipeBook {
  list(): Promise<RecipeListing>;
  /** Undefined where there is no such system. */
  one(id: string): Promise<RecipeDetail | undefined>;
}
