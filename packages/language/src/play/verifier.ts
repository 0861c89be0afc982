import type { Judge } from "@reins/core";
import type { Family } from "../tasks/family.ts";
import type { Answered } from "./text-episode.ts";

/** Pays what the verifier says. A verifier that fails pays nothing, and the reason is kept. */
export function verifier(family: Family): Judge {
  return (episodes) =>
    Promise.all(
      episodes.map(async ({ info }) => {
        const { problem, text } = info as unknown as Answered;
        try {
          const { score, formed, why } = await family.verify(problem, text);
          if (!Number.isFinite(score)) return { reward: 0, info: { failed: `the score is ${score}` } };
          return { reward: score, info: { formed, ...(why === undefined ? {} : { why }) } };
        } catch (error) {
          return { reward: 0, info: { failed: (error as Error).message } };
        }
      }),
    );
}
