import { leaves, type Tensor, type Tree } from "@reins/tensor";
import type { VectorEnv } from "../env.ts";
import { fail } from "../errors.ts";
import { columnNames } from "../forms/column-names.ts";

/** The columns of an environment, which compiled functions read in place: the environment must not replace them. */
export class HeldColumns {
  private readonly env: VectorEnv;
  private readonly trees: readonly (Tree | undefined)[];
  private readonly tensors: readonly (readonly Tensor[])[];
  private looked = false;

  constructor(env: VectorEnv) {
    this.env = env;
    this.trees = columnNames.map((name) => env[name]);
    this.tensors = this.trees.map((tree) => (tree === undefined ? [] : leaves(tree)));
  }

  /** Throws if the steps since have replaced a column: policies would see the first one forever. Call it after steps. */
  check(): void {
    const { env, trees, tensors, looked } = this;
    this.looked = true;
    for (let i = 0; i < columnNames.length; i++) {
      const tree = env[columnNames[i]];
      // Parts are compared once: an environment that replaces one does so in every step.
      if (tree === undefined || (looked && tree === trees[i])) continue;
      const now = leaves(tree);
      if (now.length !== tensors[i].length || now.some((t, k) => t !== tensors[i][k]))
        fail(
          env.spec.id,
          `its steps replace the column \`${columnNames[i]}\` with a new tensor, but compiled code reads the first one. Write into its \`data\` instead.`,
        );
    }
  }
}
