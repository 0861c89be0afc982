import { left, MinAtarGame, type MinAtarOptions, none, right, side } from "./game.ts";

const [paddle, ball, trail, brick] = [0, 1, 2, 3];
/** Its channels and actions. */
export const breakoutForm = {
  name: "MinAtar/Breakout",
  channels: [
    { name: "paddle", letter: "=", color: "#58a6ff" },
    { name: "ball", letter: "o", color: "#f0f6fc" },
    { name: "trail", letter: ".", color: "#8b949e", trail: true },
    { name: "brick", letter: "▒", color: "#db6d28" },
  ],
  actions: [none, left, right],
} as const;

/** Bricks fill the lines 1 to 3. */
const bricks = 3 * side;
/** Directions of the ball: up left, up right, down right, down left. Their reflections: */
const sideways = [1, 0, 3, 2];
const upright = [3, 2, 1, 0];
const back = [2, 3, 0, 1];

/**
 * Break bricks with a ball that a paddle keeps in play: reward 1 each. When all are broken and the ball comes
 * down, new ones appear.
 */
export class Breakout extends MinAtarGame {
  protected readonly state;

  constructor(options: MinAtarOptions = {}) {
    super(breakoutForm, options);
    const column = (width = 1) => new Int8Array(this.rows * width);
    // `struck`: the ball hit a brick in the previous step, and breaks none now.
    this.state = {
      last: this.last,
      x: column(),
      y: column(),
      beforeX: column(),
      beforeY: column(),
      direction: column(),
      paddle: column(),
      struck: column(),
      bricks: column(bricks),
      left: column(),
    };
  }

  protected start(row: number): void {
    const { x, y, beforeX, beforeY, direction, paddle, struck } = this.state;
    const fromRight = this.random[row].integers(0, 2) === 1;
    x[row] = beforeX[row] = fromRight ? 9 : 0;
    y[row] = beforeY[row] = 3;
    direction[row] = fromRight ? 3 : 2;
    paddle[row] = 4;
    struck[row] = 0;
    this.build(row);
  }

  private build(row: number): void {
    this.state.bricks.fill(1, row * bricks, (row + 1) * bricks);
    this.state.left[row] = bricks;
  }

  protected play(row: number, action: number): number {
    const { x, y, beforeX, beforeY, direction, paddle, struck } = this.state;
    if (action === left) paddle[row] = Math.max(0, paddle[row] - 1);
    else if (action === right) paddle[row] = Math.min(9, paddle[row] + 1);

    beforeX[row] = x[row];
    beforeY[row] = y[row];
    const way = direction[row];
    let newX = x[row] + (way === 1 || way === 2 ? 1 : -1);
    let newY = y[row] + (way >= 2 ? 1 : -1);
    if (newX < 0 || newX > 9) {
      newX = newX < 0 ? 0 : 9;
      direction[row] = sideways[way];
    }
    let reward = 0;
    let strikes = 0;
    if (newY < 0) {
      newY = 0;
      direction[row] = upright[direction[row]];
    } else if (this.hasBrick(row, newY, newX)) {
      strikes = 1;
      if (struck[row] === 0) {
        reward = 1;
        struck[row] = 1;
        this.state.bricks[row * bricks + (newY - 1) * side + newX] = 0;
        this.state.left[row]--;
        newY = beforeY[row];
        direction[row] = upright[direction[row]];
      }
    } else if (newY === 9) {
      if (this.state.left[row] === 0) this.build(row);
      if (x[row] === paddle[row]) {
        direction[row] = upright[direction[row]];
        newY = beforeY[row];
      } else if (newX === paddle[row]) {
        direction[row] = back[direction[row]];
        newY = beforeY[row];
      } else this.terminated.data[row] = 1;
    }
    if (strikes === 0) struck[row] = 0;
    x[row] = newX;
    y[row] = newY;
    return reward;
  }

  private hasBrick(row: number, y: number, x: number): boolean {
    return y >= 1 && y <= 3 && this.state.bricks[row * bricks + (y - 1) * side + x] === 1;
  }

  protected paint(row: number): void {
    const { x, y, beforeX, beforeY, bricks: wall } = this.state;
    this.show(row, y[row], x[row], ball);
    this.show(row, 9, this.state.paddle[row], paddle);
    this.show(row, beforeY[row], beforeX[row], trail);
    let i = row * bricks;
    for (let line = 1; line <= 3; line++)
      for (let column = 0; column < side; column++) if (wall[i++] === 1) this.show(row, line, column, brick);
  }
}
