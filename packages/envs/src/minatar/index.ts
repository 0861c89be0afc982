import { type OptionTable, size } from "@reins/core";
import { Asterix } from "./asterix.ts";
import { Breakout } from "./breakout.ts";
import { Freeway } from "./freeway.ts";
import type { DifficultyOptions, MinAtarOptions } from "./game.ts";
import { Seaquest } from "./seaquest.ts";
import { SpaceInvaders } from "./space-invaders.ts";

const plain = {
  sticky: size(0.1, "Probability that the previous action is repeated.", { within: "share" }),
} satisfies OptionTable;
const steep = {
  ...plain,
  ramping: size(true, "Whether the difficulty rises during a game."),
} satisfies OptionTable;

/** Options by name; the version sets the actions. */
type Named<O> = Omit<O, "allActions">;

/**
 * A game by name: version 0 has all six actions, version 1 those with an effect, as MinAtar registers them with
 * Gymnasium.
 */
function versions<O extends MinAtarOptions>(
  description: string,
  options: OptionTable,
  make: (options: O & MinAtarOptions) => Breakout | Asterix | Freeway | Seaquest | SpaceInvaders,
) {
  return [true, false].map((allActions) => ({
    description: allActions ? `${description.slice(0, -1)}, with all six actions.` : description,
    options,
    make: (given: Named<O>) => make({ ...given, allActions } as O),
  }));
}

const [asterix0, asterix1] = versions<DifficultyOptions>(
  "MinAtar: collect gold and avoid enemies.",
  steep,
  (o) => new Asterix(o),
);
const [breakout0, breakout1] = versions<MinAtarOptions>(
  "MinAtar: break bricks with a ball.",
  plain,
  (o) => new Breakout(o),
);
const [freeway0, freeway1] = versions<MinAtarOptions>(
  "MinAtar: cross a road as often as possible.",
  plain,
  (o) => new Freeway(o),
);
const [seaquest0, seaquest1] = versions<DifficultyOptions>(
  "MinAtar: shoot fish and submarines, rescue divers, and watch the oxygen.",
  steep,
  (o) => new Seaquest(o),
);
const [spaceInvaders0, spaceInvaders1] = versions<DifficultyOptions>(
  "MinAtar: shoot wave after wave of aliens.",
  steep,
  (o) => new SpaceInvaders(o),
);

/** The five games of MinAtar, by id. */
export const minatar = {
  "MinAtar/Asterix-v0": asterix0,
  "MinAtar/Asterix-v1": asterix1,
  "MinAtar/Breakout-v0": breakout0,
  "MinAtar/Breakout-v1": breakout1,
  "MinAtar/Freeway-v0": freeway0,
  "MinAtar/Freeway-v1": freeway1,
  "MinAtar/Seaquest-v0": seaquest0,
  "MinAtar/Seaquest-v1": seaquest1,
  "MinAtar/SpaceInvaders-v0": spaceInvaders0,
  "MinAtar/SpaceInvaders-v1": spaceInvaders1,
};
