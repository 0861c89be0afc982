import type { TextTask } from "@reins/language";

/** A tiny model that has imitated answers: the initial model of reinforcement learning. */
export interface LanguageArmModel {
  /** Blocks, width and heads (default 2, 64, 4). */
  readonly layers?: number;
  readonly width?: number;
  readonly heads?: number;
  /** Number of answer tokens to imitate. */
  readonly imitation: number;
  /** Batch size of imitation in texts (default 128): fewer means more updates on the same tokens. */
  readonly batch?: number;
  /** A second phase of imitation with a less reliable teacher, which gives answers of other problems at the rate `wrong`. The
   * model then has more ability than its answers show, like a pretrained one. */
  readonly unreliable?: { readonly tokens: number; readonly wrong: number };
  /** The teacher (default: that of the task). */
  readonly teacher?: TextTask;
  /** Maximum number of tokens of an answer (default: that of the task). */
  readonly limit?: number;
  /** Texts that are generated at the same time (default 256). */
  readonly rows?: number;
  /** Seed of the initial weights and of imitation (default 0). */
  readonly from?: number;
}

/** A language task and the model to train. */
export interface LanguageArmOptions extends LanguageArmModel {
  readonly task: TextTask;
  /** Levels to imitate, in equal shares; the first is the level of the stage unless its problems set another. */
  readonly levels: readonly number[];
}
