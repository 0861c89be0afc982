import { describeSettings } from "../training/settings-words.ts";
import type { Flags } from "./flags.ts";
import type { Setup } from "./setup.ts";
import { showSetting } from "./show-setting.ts";
import { flagOf, type runFlags } from "./training-flags.ts";

/** Describes the settings of a run: where they come from, and those set on the command line. */
export function settingsLine(
  { maker, assembly, typed, flags }: Setup<typeof runFlags>,
  taken: Flags,
): string {
  const { name } = maker.definition;
  const over = Object.entries(typed).map(
    ([option, value]) => `${flagOf(name, option, taken)} ${showSetting(value)}`,
  );
  return describeSettings(flags.from !== undefined, assembly, over);
}
