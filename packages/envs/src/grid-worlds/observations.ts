import { type Dict, dict, discrete, image, multiDiscrete, type Space, text } from "@reins/core";
import { longestMission } from "./missions.ts";
import { colors, kinds, statuses } from "./symbols.ts";
import { agentTile, tileOf, tileSide, tileWords } from "./tiles.ts";
import { viewCells, viewSide } from "./view.ts";
import type { GridWorldDefinition } from "./world.ts";

/** Observation encoders. */
export type ViewKind = "symbols" | "planes" | "pixels";

const planes = kinds + colors + statuses;

/** Observation settings of a world. */
export function observationOf(world: GridWorldDefinition, view: ViewKind, mission: "numbers" | "text"): Dict {
  const looks: Record<ViewKind, Space> = {
    symbols: multiDiscrete(Array.from({ length: 3 * viewCells }, (_, i) => [kinds, colors, statuses][i % 3])),
    planes: image(viewSide, viewSide, planes),
    pixels: image(viewSide * tileSide, viewSide * tileSide, 3),
  };
  const seen = { image: looks[view], direction: discrete(4) };
  if (mission === "text") return dict({ ...seen, mission: text(longestMission) });
  // A mission that is the same in all levels is not observed.
  return dict(world.mission.includes("COLOR") ? { ...seen, mission: multiDiscrete([colors, kinds]) } : seen);
}

/** A channel for each kind, color and status; lines first. */
export function showPlanes(symbols: Int32Array, to: Uint8Array, row: number): void {
  const start = row * viewCells * planes;
  to.fill(0, start, start + viewCells * planes);
  for (let column = 0; column < viewSide; column++)
    for (let line = 0; line < viewSide; line++) {
      const from = 3 * (column * viewSide + line);
      const at = start + (line * viewSide + column) * planes;
      to[at + symbols[from]] = 255;
      to[at + kinds + symbols[from + 1]] = 255;
      to[at + kinds + colors + symbols[from + 2]] = 255;
    }
}

/**
 * Pixels of each cell; the agent's own cell shows the agent, unless it carries something. Pixel rows are copied in
 * words.
 */
export function showPixels(symbols: Int32Array, to: Uint32Array, row: number, showAgent: boolean): void {
  const tileLine = (tileSide * 3) / 4;
  const line = viewSide * tileLine;
  let i = 0;
  for (let column = 0; column < viewSide; column++)
    for (let up = 0; up < viewSide; up++) {
      const isAgent = showAgent && up === viewSide - 1 && column === Math.floor(viewSide / 2);
      let from = (isAgent ? agentTile : tileOf(symbols[i], symbols[i + 1], symbols[i + 2])) / 4;
      let at = (row * viewSide + up) * tileSide * line + column * tileLine;
      for (let y = 0; y < tileSide; y++) {
        for (let word = 0; word < tileLine; word++) to[at + word] = tileWords[from + word];
        from += tileLine;
        at += line;
      }
      i += 3;
    }
}

/** The bytes of an image as words. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}
