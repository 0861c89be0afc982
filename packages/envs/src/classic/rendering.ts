import type { Color, Point, Rendering, RenderShape } from "@reins/core";

const ink: Color = "#24292f";
const ground: Color = "#8c959f";
const blue: Color = "#0969da";
const orange: Color = "#bc4c00";
const green: Color = "#1a7f37";

const line = (color: Color, width: number, ...points: Point[]): RenderShape => ({
  kind: "line",
  points,
  width,
  color,
});
const circle = (color: Color, center: Point, radius: number): RenderShape => ({
  kind: "circle",
  center,
  radius,
  color,
});
const label = (text: string, y: number): RenderShape => ({
  kind: "text",
  text,
  at: [12, y],
  size: 8,
  color: ground,
});

/** A cart at `x` on a track that ends at ±`end`, and its pole. */
export function cartPolePicture(x: number, angle: number, end: number): Rendering {
  const [width, height, base] = [480, 240, 190];
  const middle = width / 2 + (x / (end + 0.2)) * (width / 2 - 30);
  const tip: Point = [middle + 110 * Math.sin(angle), base - 28 - 110 * Math.cos(angle)];
  const [left, right, top, low] = [middle - 30, middle + 30, base - 32, base - 8];
  return {
    width,
    height,
    shapes: [
      line(ground, 2, [20, base], [width - 20, base]),
      {
        kind: "polygon",
        points: [
          [left, top],
          [right, top],
          [right, low],
          [left, low],
        ],
        color: ink,
      },
      circle(ground, [middle - 18, base - 7], 7),
      circle(ground, [middle + 18, base - 7], 7),
      line(orange, 9, [middle, base - 28], tip),
      circle(blue, [middle, base - 28], 5),
      label(`x ${x.toFixed(2)}  angle ${((angle * 180) / Math.PI).toFixed(1)}°`, height - 16),
    ],
  };
}

/** A car in a valley between two ends, and the flag at the end of its road. */
export function hillPicture(
  position: number,
  speed: number,
  goal: number,
  ends: readonly [number, number],
): Rendering {
  const [width, height] = [480, 280];
  const across = (x: number) => 20 + ((x - ends[0]) / (ends[1] - ends[0])) * (width - 40);
  const down = (x: number) => 240 - (Math.sin(3 * x) * 0.45 + 0.55) * 180;
  const road = Array.from({ length: 81 }, (_, i): Point => {
    const x = ends[0] + ((ends[1] - ends[0]) * i) / 80;
    return [across(x), down(x)];
  });
  const [fx, fy] = [across(goal), down(goal)];
  // The car stands on the slope.
  const slope = Math.atan2(
    down(position + 0.01) - down(position),
    across(position + 0.01) - across(position),
  );
  const place = (along: number, up: number): Point => [
    across(position) + along * Math.cos(slope) + up * Math.sin(slope),
    down(position) + along * Math.sin(slope) - up * Math.cos(slope),
  ];
  return {
    width,
    height,
    shapes: [
      line(ground, 2, ...road),
      line(ink, 2, [fx, fy], [fx, fy - 40]),
      {
        kind: "polygon",
        points: [
          [fx, fy - 40],
          [fx + 18, fy - 33],
          [fx, fy - 26],
        ],
        color: green,
      },
      { kind: "polygon", points: [place(-16, 8), place(16, 8), place(16, 20), place(-16, 20)], color: blue },
      circle(ink, place(-10, 6), 6),
      circle(ink, place(10, 6), 6),
      label(`position ${position.toFixed(2)}  speed ${speed.toFixed(3)}`, height - 14),
    ],
  };
}

/** A rod on its axis; angle 0 is upright. */
export function pendulumPicture(angle: number, speed: number): Rendering {
  const size = 280;
  const middle: Point = [size / 2, size / 2];
  const tip: Point = [middle[0] + 95 * Math.sin(angle), middle[1] - 95 * Math.cos(angle)];
  return {
    width: size,
    height: size,
    shapes: [
      line(orange, 20, middle, tip),
      circle(ink, middle, 6),
      label(`speed ${speed.toFixed(2)}`, size - 14),
    ],
  };
}

/** Two rods, the lower one driven, and the target line. Angle 0 hangs down. */
export function acrobotPicture(angle1: number, angle2: number): Rendering {
  const [size, link] = [320, 68];
  const axis: Point = [size / 2, size / 2];
  const from = ([x, y]: Point, angle: number): Point => [
    x + link * Math.sin(angle),
    y + link * Math.cos(angle),
  ];
  const joint = from(axis, angle1);
  return {
    width: size,
    height: size,
    shapes: [
      line(green, 2, [10, axis[1] - link], [size - 10, axis[1] - link]),
      line(blue, 14, axis, joint),
      line(orange, 14, joint, from(joint, angle1 + angle2)),
      circle(ink, axis, 5),
      circle(ink, joint, 5),
    ],
  };
}
