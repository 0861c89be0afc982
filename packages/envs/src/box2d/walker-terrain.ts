import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";

/** Metres between two terrain points. */
export const terrainStep = 14 / 30;
/** Number of terrain points. */
export const terrainLength = 200;
/** Initial terrain height. */
export const terrainHeight = 400 / 30 / 4;
/** Longest stretch of grass between two obstacles, in points. */
export const grassLength = 10;
/** Points of flat ground at the start. */
export const startLength = 20;

type Point = readonly [x: number, y: number];

/** The terrain of a walk. */
export interface Terrain {
  /** Its surface, from left to right. */
  readonly points: readonly Point[];
  /** Obstacle blocks, each a convex polygon. */
  readonly blocks: readonly (readonly Point[])[];
  /** Clouds, for rendering. */
  readonly clouds: readonly (readonly Point[])[];
}

/** Terrain types, with Gymnasium's numbers. */
const [grass, stump, stairs, pit] = [0, 1, 2, 3];

/** Generates the terrain in Gymnasium's order. The hardcore version has stumps, stairs and pits. */
export function drawTerrain(random: Generator, hard: boolean): Terrain {
  const points: Point[] = [];
  const blocks: Point[][] = [];
  const draft = { y: terrainHeight, slope: 0, before: 0, count: startLength, steps: 0, up: 0 };
  let kind = grass;
  let first = false;
  for (let i = 0; i < terrainLength; i++) {
    const x = i * terrainStep;
    if (kind === grass && !first) {
      draft.slope = 0.8 * draft.slope + 0.01 * Math.sign(terrainHeight - draft.y);
      if (i > startLength) draft.slope += random.uniform(-1, 1) / 30;
      draft.y += draft.slope;
    } else if (kind === pit) crossPit(random, draft, x, first, blocks);
    else if (kind === stump && first) {
      draft.count = random.integers(1, 3);
      const side = draft.count * terrainStep;
      blocks.push(rectangle(x, draft.y, side, side));
    } else if (kind === stairs) climb(random, draft, x, first, blocks);
    first = false;
    points.push([x, draft.y]);
    if (--draft.count === 0) {
      draft.count = random.integers(grassLength / 2, grassLength);
      kind = kind === grass && hard ? random.integers(1, 4) : grass;
      first = true;
    }
  }
  return { points, blocks, clouds: drawClouds(random) };
}

/** State of the terrain generator: `count` points are left of the current type. */
interface Draft {
  y: number;
  slope: number;
  /** Height before the obstacle. */
  before: number;
  count: number;
  /** Stairs, and whether they go up (1) or down (-1). */
  steps: number;
  up: number;
}

/** Points per stair. */
const stairWidth = 4;

function crossPit(random: Generator, draft: Draft, x: number, first: boolean, blocks: Point[][]): void {
  const depth = 4 * terrainStep;
  if (!first) {
    draft.y = draft.count > 1 ? draft.before - depth : draft.before;
    return;
  }
  draft.count = random.integers(3, 5);
  draft.before = draft.y;
  for (const at of [0, draft.count])
    blocks.push(rectangle(x + at * terrainStep, draft.y - depth, terrainStep, depth));
  draft.count += 2;
}

function climb(random: Generator, draft: Draft, x: number, first: boolean, blocks: Point[][]): void {
  if (!first) {
    const point = draft.steps * stairWidth - draft.count - draft.up;
    draft.y = draft.before + (point / stairWidth) * draft.up * terrainStep;
    return;
  }
  draft.up = random.random() > 0.5 ? 1 : -1;
  draft.steps = random.integers(3, 5);
  draft.before = draft.y;
  for (let s = 0; s < draft.steps; s++) {
    const top = draft.y + s * draft.up * terrainStep;
    blocks.push(
      rectangle(x + s * stairWidth * terrainStep, top - terrainStep, stairWidth * terrainStep, terrainStep),
    );
  }
  draft.count = draft.steps * stairWidth;
}

function rectangle(x: number, y: number, width: number, height: number): Point[] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
}

function drawClouds(random: Generator): Point[][] {
  return Array.from({ length: terrainLength / 20 }, () => {
    const x = random.uniform(0, terrainLength) * terrainStep;
    const y = 10;
    return Array.from({ length: 5 }, (_, corner): Point => {
      const turn = (3.14 * 2 * corner) / 5;
      const right = random.uniform(0, 5 * terrainStep);
      const up = random.uniform(0, 5 * terrainStep);
      return [x + 15 * terrainStep * real.sin(turn) + right, y + 5 * terrainStep * real.cos(turn) + up];
    });
  });
}
