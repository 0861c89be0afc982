/**
 * Image observations, with the convolutional network that is chosen by default.
 *
 *     npx vite-node examples/control/pictures.ts [--quick]
 */

import { discrete, dqn, type Env, image, train } from "reins";
import { defaultRng } from "reins/core/random";

const quick = process.argv.includes("--quick");
const size = 8;

/** Catches a falling ball: left, stay, right. One channel for the ball, one for the paddle. */
class Catch implements Env {
  readonly spec = { id: "Catch-v0", observation: image(size, size, 2), action: discrete(3), maxSteps: size };
  private ball = { x: 0, y: 0 };
  private paddle = 0;
  private over = true;
  private rng = defaultRng(0);

  private look() {
    const seen = new Uint8Array(size * size * 2);
    seen[2 * (this.ball.y * size + this.ball.x)] = 255;
    seen[2 * ((size - 1) * size + this.paddle) + 1] = 255;
    return seen;
  }

  reset({ seed }: { seed?: number } = {}) {
    if (seed !== undefined) this.rng = defaultRng(seed);
    this.ball = { x: this.rng.integers(size), y: 0 };
    this.paddle = this.rng.integers(size);
    this.over = false;
    return { observation: this.look() };
  }

  step(action: unknown) {
    if (this.over) throw new Error("The ball has fallen: call reset().");
    this.paddle = Math.min(size - 1, Math.max(0, this.paddle + Number(action) - 1));
    this.ball.y++;
    this.over = this.ball.y === size - 1;
    const reward = this.over ? (this.ball.x === this.paddle ? 1 : -1) : 0;
    return { observation: this.look(), reward, terminated: this.over, truncated: false };
  }

  render() {
    const rows = Array.from({ length: size }, (_, y) =>
      Array.from({ length: size }, (_, x) =>
        y === this.ball.y && x === this.ball.x ? "o" : y === size - 1 && x === this.paddle ? "=" : ".",
      ).join(""),
    );
    return rows.join("\n");
  }
}

const agent = await train({
  algorithm: dqn({
    hidden: [64],
    learningRate: 1e-3,
    learningStarts: 200,
    trainEvery: 2,
    batch: 32,
    targetEvery: 100,
  }),
  env: () => new Catch(),
  steps: quick ? 600 : 15_000,
  evalEpisodes: 50,
});
console.log(`It catches ${Math.round(50 * (agent.return.mean + 1))} of 100.`);
