import type { LengthReward } from "../shared/length-rewards.ts";

/** Rewards of correct and of wrong answers: of the shortest one, and at the length limit. */
const range = { right: [1, 0.5], wrong: [0, -0.5] } as const;

/** The reward for correctness, which falls from the first value to the second along a cosine as the length approaches the limit. */
export function cosineReward(right: boolean, length: number, limit: number): number {
  const [shortest, longest] = right ? range.right : range.wrong;
  return longest + 0.5 * (shortest - longest) * (1 + Math.cos((Math.PI * length) / limit));
}

/** Settings of {@link openRs}. */
export interface OpenRsOptions {
  /** Maximum number of tokens. */
  readonly limit: number;
  /** The end of reasoning. */
  readonly mark: string;
  /** Whether the reward for correctness depends on length. */
  readonly scaled: boolean;
}

/** 1 for an answer that ends its reasoning exactly once, and twice the reward for correctness. */
export const openRs =
  ({ limit, mark, scaled }: OpenRsOptions) =>
  (): LengthReward =>
  (groups) =>
    groups.map((group) =>
      group.map(({ right, length, text }) => {
        const format = Number(text.split(mark).length === 2);
        return format + 2 * (scaled ? cosineReward(right, length, limit) : Number(right));
      }),
    );
