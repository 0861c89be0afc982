import { fail, type PlaceInfo, size } from "@reins/core";
import { activatedBody, hidden } from "../options.ts";

/** Options shared by all searches over weights; the defaults differ. */
export const searching = (usual: {
  readonly population: number;
  readonly hidden: readonly number[];
  readonly normalise: boolean;
}) => ({
  population: size(
    usual.population,
    "Population size: members per generation, each with its own weights. More estimates directions better and takes longer (8 to 512).",
    { within: "count" },
  ),
  episodes: size(1, "Episodes per member. More reduces noise and takes longer (1 to 16).", {
    within: "count",
  }),
  horizon: size(
    10_000,
    "Maximum episode length; longer episodes are cut off. Fewer is faster and looks less far ahead (100 to 10000).",
    { within: "count" },
  ),
  common: size(true, "All members of a generation play episodes with the same seeds: a fairer comparison."),
  normalise: size(
    usual.normalise,
    "Normalise observations by running statistics. Trainable encoders get raw observations.",
  ),
  hidden: hidden(
    usual.hidden,
    "Widths of the hidden layers; none is a linear policy, with few weights to search.",
  ),
  ...activatedBody,
});

/** Fails where members cannot be compared, or cannot be paired for mirrored sampling. */
export function comparable(mirrored = false) {
  return ({ spec, options }: PlaceInfo, name: string): void => {
    if (spec.agents)
      fail(
        name,
        `${spec.id} has several agents, and a member plays alone. Use ppo, which supports several agents.`,
      );
    if (spec.rewards)
      fail(
        name,
        `the reward of ${spec.id} is a vector (${spec.rewards.join(", ")}). Combine its components into one number first.`,
      );
    if (mirrored && (options.population as number) % 2)
      fail(
        name,
        `population is ${options.population}, but members come in mirrored pairs. Use an even number.`,
      );
    if ((options.population as number) < 2)
      fail(name, "population is 1, and a single member cannot be compared. Use 8 or more.");
  };
}
