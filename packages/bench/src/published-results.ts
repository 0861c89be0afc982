/** A published result for the same task and number of steps. */
export interface Published {
  readonly algorithm: string;
  readonly env: string;
  readonly return: string;
  readonly steps: number;
  /** The source, and what differs. */
  readonly by: string;
}

const tianshou = "Tianshou's curves of HalfCheetah-v3, ten seeds, 256-256, batches of 256";

/** Read from published curves at the final step of our runs. */
export const published: readonly Published[] = [
  {
    algorithm: "sac",
    env: "HalfCheetah-v5",
    return: "9059 ± 1051 (as reported)",
    steps: 300_000,
    by: tianshou,
  },
  {
    algorithm: "td3",
    env: "HalfCheetah-v5",
    return: "7546 ± 717 (as reported)",
    steps: 300_000,
    by: tianshou,
  },
];
