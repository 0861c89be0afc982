import { type OptionTable, size } from "@reins/core";
import type { Tree } from "@reins/tensor";
import type { TracedOption } from "../batch-form.ts";
import { options as shared } from "../options.ts";
import { eitherForm } from "../traced-envs/forms.ts";
import { asterix } from "../traced-envs/minatar/asterix.ts";
import { breakout } from "../traced-envs/minatar/breakout.ts";
import { freeway } from "../traced-envs/minatar/freeway.ts";
import { type TracedGame, tracedGame } from "../traced-envs/minatar/game.ts";
import { seaquest } from "../traced-envs/minatar/seaquest.ts";
import { spaceInvaders } from "../traced-envs/minatar/space-invaders.ts";
import { Asterix } from "./asterix.ts";
import { Breakout } from "./breakout.ts";
import { Freeway } from "./freeway.ts";
import type { DifficultyOptions, MinAtarGame, MinAtarOptions } from "./game.ts";
import { Seaquest } from "./seaquest.ts";
import { SpaceInvaders } from "./space-invaders.ts";

const plain = {
  sticky: size(0.1, "Probability that the previous action is repeated.", { within: "share" }),
  ...shared.traced,
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
function versions<O extends MinAtarOptions, S extends Tree>(
  description: string,
  options: OptionTable,
  make: (options: O) => MinAtarGame,
  traced: (options: O) => TracedGame<S>,
) {
  const either = eitherForm(
    make,
    (options) => tracedGame(traced(options), options),
    () => ({}),
  );
  return [true, false].map((allActions) => ({
    description: allActions ? `${description.slice(0, -1)}, with all six actions.` : description,
    options,
    make: (given: Named<O> & TracedOption) => either({ ...given, allActions } as O & TracedOption),
  }));
}

const [asterix0, asterix1] = versions(
  "MinAtar: collect gold and avoid enemies.",
  steep,
  (o: DifficultyOptions) => new Asterix(o),
  ({ ramping }) => asterix(ramping),
);
const [breakout0, breakout1] = versions(
  "MinAtar: break bricks with a ball.",
  plain,
  (o: MinAtarOptions) => new Breakout(o),
  () => breakout,
);
const [freeway0, freeway1] = versions(
  "MinAtar: cross a road as often as possible.",
  plain,
  (o: MinAtarOptions) => new Freeway(o),
  () => freeway,
);
const [seaquest0, seaquest1] = versions(
  "MinAtar: shoot fish and submarines, rescue divers, and watch the oxygen.",
  steep,
  (o: DifficultyOptions) => new Seaquest(o),
  ({ ramping }) => seaquest(ramping),
);
const [spaceInvaders0, spaceInvaders1] = versions(
  "MinAtar: shoot wave after wave of aliens.",
  steep,
  (o: DifficultyOptions) => new SpaceInvaders(o),
  ({ ramping }) => spaceInvaders(ramping),
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
