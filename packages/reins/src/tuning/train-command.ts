import { kebab } from "../cli/flags.ts";
import { shellWord } from "../cli/shell-word.ts";
import { showSetting } from "../cli/show-setting.ts";
import { flagOf } from "../cli/training-flags.ts";
import type { Settings } from "./space.ts";
import type { PieceSetup } from "./work.ts";

/** The shell command that trains with the setup of a search and some settings. */
export function trainCommand(
  { algorithm, env, steps, typed, envOptions, wrappers, judge, defaults }: Omit<PieceSetup, "episodes">,
  settings: Settings,
): string {
  const own = Object.entries({ ...typed, ...settings }).flatMap(([option, value]) => [
    `--${flagOf(algorithm, option)}`,
    showSetting(value),
  ]);
  const ofEnv = Object.entries(envOptions).flatMap(([option, value]) => [
    `--env-${kebab(option)}`,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
  const rest = [
    ...(wrappers?.length ? ["--wrappers", wrappers.join(",")] : []),
    ...(judge === undefined ? [] : ["--judge", judge]),
    ...(defaults ? ["--defaults"] : []),
  ];
  const words = ["reins", "train", algorithm, env, "--steps", String(steps), ...own, ...ofEnv, ...rest];
  return words.map(shellWord).join(" ");
}
