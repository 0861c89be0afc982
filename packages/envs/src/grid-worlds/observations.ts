import { type Dict, dict, discrete, image, multiDiscrete, type Space, text } from "@reins/core";
import { longestMission } from "./missions.ts";
import { colors, kinds, statuses } from "./symbols.ts";
import { agentTile, tileOf, tileSide, tiles } from "./tiles.ts";
import { viewCells, viewSide } from "./view.ts";
import type { World } from "./world.ts";

/** How cells are shown. */
export type ViewKind = "symbols" | "planes" | "pixels";

const planes = kinds + colors + statuses;

/** What is observed of a world. */
export function observationOf(world: World, view: ViewKind, mission: "numbers" | "text"): Dict {
  const looks: Record<ViewKind, Space> = {
    symbols: multiDiscrete(Array.from({ length: 3 * viewCells }, (_, i) => [kinds, colors, statuses][i % 3])),
    planes: image(viewSide, viewSide, planes),
    pixels: image(viewSide * tileSide, viewSide * tileSide, 3),
  };
  const seen = { image: looks[view], direction: discrete(4) };
  if (mission === "text") return dict({ ...seen, mission: text(longestMission) });
  // Where all levels have the same mission there is nothing to tell.
  return dict(world.mission.includes("COLOR") ? { ...seen, mission: multiDiscrete([colors, kinds]) } : seen);
}

/** A channel for each kind, color and status; lines first. */
export function showPlanes(symbols: Uint8Array, to: Uint8Array, row: number): void {
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

/** Pixels of each cell; the agent's own shows the agent, unless it carries something. */
export function showPixels(symbols: Uint8Array, to: Uint8Array, row: number, showAgent: boolean): void {
  const lineBytes = viewSide * tileSide * 3;
  const start = row * lineBytes * viewSide * tileSide;
  for (let column = 0; column < viewSide; column++)
    for (let line = 0; line < viewSide; line++) {
      const i = 3 * (column * viewSide + line);
      const own = line === viewSide - 1 && column === Math.floor(viewSide / 2);
      const tile = own && showAgent ? agentTile : tileOf(symbols[i], symbols[i + 1], symbols[i + 2]);
      for (let y = 0; y < tileSide; y++) {
        const at = start + (line * tileSide + y) * lineBytes + column * tileSide * 3;
        const from = tile + y * tileSide * 3;
        for (let b = 0; b < tileSide * 3; b++) to[at + b] = tiles[from + b];
      }
    }
}
