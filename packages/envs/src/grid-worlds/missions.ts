import { colorNames, kindNames } from "./symbols.ts";

/** Length of the longest mission in characters. */
export const longestMission = 64;

/** The mission: a text that may name the color and kind of its target. */
export function missionText(mission: string, kind: number, color: number): string {
  return mission.replace("COLOR", colorNames[color]).replace("KIND", kindNames[kind] ?? "");
}
