import { tensor } from "@reins/tensor";
import { type Episode, type Maker, makers } from "../episode.ts";
import type { JudgedEpisode } from "../selection.ts";

/** Options of a test episode. */
export interface Played {
  readonly group?: string;
  readonly reward?: number;
  /** Fields of the verdict besides the reward. */
  readonly score?: number;
  readonly failed?: string;
  /** The maker of each step (default: two of the policy's own). */
  readonly by?: readonly Maker[];
  readonly truncated?: boolean;
  readonly role?: Episode["role"];
  readonly context?: { readonly [name: string]: number };
  /** Identifies it. */
  readonly mark?: number;
}

/** An episode with its verdict, as the training loop sees it. */
export function played(p: Played = {}): JudgedEpisode {
  const {
    group,
    reward = 0,
    score,
    failed,
    by = ["policy", "policy"],
    truncated = false,
    role,
    context,
    mark = 0,
  } = p;
  return {
    episode: {
      columns: {
        by: tensor(
          Uint8Array.from(by, (m) => makers.indexOf(m)),
          { dtype: "u8" },
        ),
        action: tensor(
          Int32Array.from(by, () => mark),
          { dtype: "i32" },
        ),
      },
      segments: [{ from: 0, to: by.length }],
      terminated: !truncated,
      truncated,
      return: [],
      ...(role === undefined ? {} : { role }),
      ...(group === undefined ? {} : { group }),
      ...(context === undefined ? {} : { context }),
      info: { mark },
    },
    verdict: {
      reward,
      ...(score === undefined ? {} : { score }),
      ...(failed === undefined ? {} : { failed }),
    },
    reward,
  };
}

/** The marks of episodes, in order. */
export const marks = (judged: readonly JudgedEpisode[] | undefined) =>
  judged?.map((j) => (j.episode.info as { mark: number }).mark);
