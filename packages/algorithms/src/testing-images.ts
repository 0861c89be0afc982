import { box, discrete, type Env, image, type StepEnvironment } from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { defaultRng } from "@reins/core/random";

const side = 6;
const moves = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
];

/**
 * Reach the bright pixel: an image of 6 × 6 shows the agent and the target. Steps towards it have reward 1, steps
 * away −1, so that the optimal return is the initial distance, 4 on average. Moves are one of four directions, or
 * continuous in both axes.
 */
export function brightPixel(kind: "discrete" | "box"): StepEnvironment {
  const make = (): Env => {
    let random = defaultRng(0);
    let [x, y, toX, toY] = [0, 0, 0, 0];
    const see = () => {
      const pixels = new Uint8Array(side * side * 2);
      pixels[2 * (Math.round(y) * side + Math.round(x))] = 255;
      pixels[2 * (toY * side + toX) + 1] = 255;
      return pixels;
    };
    const distance = () => Math.abs(x - toX) + Math.abs(y - toY);
    const within = (a: number) => Math.max(0, Math.min(side - 1, a));
    return {
      spec: {
        id: "BrightPixel-v0",
        observation: image(side, side, 2),
        action: kind === "box" ? box([2], -1, 1) : discrete(4),
        maxSteps: 10,
      },
      reset({ seed } = {}) {
        if (seed !== undefined) random = defaultRng(seed);
        do [x, y, toX, toY] = Array.from({ length: 4 }, () => random.integers(side));
        while (distance() === 0);
        return { observation: see() };
      },
      step(action) {
        const before = distance();
        const [dx, dy] = kind === "box" ? Array.from(action as ArrayLike<number>) : moves[action as number];
        [x, y] = [within(x + dx), within(y + dy)];
        return {
          observation: see(),
          reward: before - distance(),
          terminated: distance() < 0.5,
          truncated: false,
        };
      },
    };
  };
  return { spec: make().spec, make: (rows) => vectorise(make, rows) };
}
