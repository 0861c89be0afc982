/** A row that both checkouts measure. */
export interface AgainstRow {
  readonly name: string;
  /** Folder of the suite's process in `dist`; "" for tensors. */
  readonly folder: "" | "rl" | "language";
  readonly backends: readonly ("native" | "wasm")[];
}

const both = ["native", "wasm"] as const;
const inSuite = (folder: AgainstRow["folder"], names: readonly string[]): AgainstRow[] =>
  names.map((name) => ({ name, folder, backends: both }));

/** One row for each kind of work: small and large calls, rollouts, updates, training and generation of text. */
export const againstRows: readonly AgainstRow[] = [
  ...inSuite("rl", ["ppo-cartpole", "ppo-cartpole-1024", "dqn-cartpole", "sac-pendulum"]),
  { name: "env-CartPole-v1", folder: "rl", backends: ["native"] },
  ...inSuite("", ["forward-64-b1", "adam-64-b256", "adam-256-b256", "gpt-4x128"]),
  ...inSuite("language", ["train-0.8m", "generate-0.8m"]),
];
