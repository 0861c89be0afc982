import { colorNames, kindNames } from "./symbols.ts";

/** Letters of the longest mission. */
export const longestMission = 64;

/** What an agent is told: a text in which a world may name the color and the kind of its target. */
export function missionText(mission: string, kind: number, color: number): string {
  return mission.replace("COLOR", colorNames[color]).replace("KIND", kindNames[kind] ?? "");
}
