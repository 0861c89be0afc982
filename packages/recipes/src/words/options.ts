import type { Family } from "@reins/language";

/** A tiny model that has imitated answers for a while: what reinforcement begins with. */
export interface WordsModel {
  /** Blocks, width and heads (default 2, 64, 4). */
  readonly layers?: number;
  readonly width?: number;
  readonly heads?: number;
  /** Answer tokens that are imitated. */
  readonly imitation: number;
  /** Texts that a step of imitation learns from (default 128): with fewer, the same tokens are more steps. */
  readonly batch?: number;
  /** Afterwards a less reliable teacher is imitated for so many tokens, whose answers are those of other problems at this share. The
   * model then knows more than it says, as one does that has read much. */
  readonly unreliable?: { readonly tokens: number; readonly wrong: number };
  /** Whose answers are imitated, if not the family's own. */
  readonly teacher?: Family;
  /** Most tokens of an answer, if not the family's own. */
  readonly limit?: number;
  /** Texts that are written at the same time (default 256). */
  readonly rows?: number;
  /** Chooses the first weights and what is imitated (default 0). */
  readonly from?: number;
}

/** A family of problems, and the model that is to learn it. */
export interface WordsOptions extends WordsModel {
  readonly family: Family;
  /** Levels that are imitated, in equal shares; the first is where the stage plays unless its problems say otherwise. */
  readonly levels: readonly number[];
}
