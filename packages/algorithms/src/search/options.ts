import { fail, size, type Where } from "@reins/core";
import { activatedBody, hidden } from "../options.ts";

/** What all searches over weights have; the usual values differ. */
export const searching = (usual: {
  readonly population: number;
  readonly hidden: readonly number[];
  readonly normalise: boolean;
}) => ({
  population: size(
    usual.population,
    "Members of a generation, each with weights of its own. More judge directions better and take longer (8 to 512).",
    { within: "count" },
  ),
  episodes: size(1, "Episodes that each member plays. More tell luck from merit and take longer (1 to 16).", {
    within: "count",
  }),
  horizon: size(
    10_000,
    "Steps after which an episode counts as it stands, if it has not ended before. Fewer are quicker and see less far (100 to 10000).",
    { within: "count" },
  ),
  common: size(true, "All members of a generation play episodes of the same seeds: a fairer comparison."),
  normalise: size(
    usual.normalise,
    "Observations in units of their deviations over all that was seen. Encoders that learn get them as they are.",
  ),
  hidden: hidden(
    usual.hidden,
    "Widths of the hidden layers; none is a linear policy, which has few weights to search.",
  ),
  ...activatedBody,
});

/** Refuses what members cannot be compared by, and those that cannot be paired where they are mirrored. */
export function comparable(mirrored = false) {
  return ({ spec, options }: Where, name: string): void => {
    if (spec.agents)
      fail(
        name,
        `${spec.id} has several agents, and a member plays alone. Use ppo, which plays all of them.`,
      );
    if (spec.rewards)
      fail(
        name,
        `the reward of ${spec.id} is a vector (${spec.rewards.join(", ")}). Weigh its parts into one number first.`,
      );
    if (mirrored && (options.population as number) % 2)
      fail(
        name,
        `population is ${options.population}; members come in pairs of opposites. Take an even number.`,
      );
    if ((options.population as number) < 2)
      fail(name, "population is 1, and one member cannot be compared. Take 8 or more.");
  };
}
