import { Canvas } from "../canvas.ts";

/** Left end of the valley that both mountain cars drive in. */
export const leftEnd = -1.2;
/** Right end of the valley. */
export const rightEnd = 0.6;
/** Speed at which the car is cut off. */
export const fastest = 0.07;

/** The valley with a car and a flag where the road ends. */
export function drawHill(position: number, speed: number, goal: number): string {
  const canvas = new Canvas(60, 12);
  const across = (x: number) => ((x - leftEnd) / (rightEnd - leftEnd)) * 118;
  const down = (x: number) => 44 - (Math.sin(3 * x) * 0.45 + 0.55) * 36;
  for (let x = leftEnd; x <= rightEnd; x += 0.005) canvas.dot(across(x), down(x));
  canvas.text(across(goal), down(goal) - 4, "⚑");
  canvas.disc(across(position), down(position) - 4, 3);
  return `${canvas}\nposition ${position.toFixed(2)}  speed ${speed.toFixed(3)}`;
}
