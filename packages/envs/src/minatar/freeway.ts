import { down, MinAtarGame, type MinAtarOptions, none, up } from "./game.ts";

const [chicken, car, slowest] = [0, 1, 2];
export const speeds = 5;
/** Its channels and actions. */
export const freewayForm = {
  name: "MinAtar/Freeway",
  channels: [
    { name: "chicken", letter: "@", color: "#e3b341" },
    { name: "car", letter: "#", color: "#f85149" },
    { name: "speed 1", letter: "1", color: "#f0f6fc", trail: true },
    { name: "speed 2", letter: "2", color: "#c3cad1", trail: true },
    { name: "speed 3", letter: "3", color: "#9aa3ad", trail: true },
    { name: "speed 4", letter: "4", color: "#737c86", trail: true },
    { name: "speed 5", letter: "5", color: "#535b64", trail: true },
  ],
  actions: [none, up, down],
} as const;

/** Cars drive in rows 1 to 8, one each. */
export const lanes = 8;
/** Minimum steps between moves of the chicken. */
export const pace = 3;
/** Steps per game. */
export const time = 2500;
export const column4 = 4;
export const bottom = 9;

/**
 * Cross eight lanes of cars: reward 1 each time, and then the cars get new speeds. A hit sends the chicken back to
 * the bottom. Trails behind the cars encode the time between two moves.
 */
export class Freeway extends MinAtarGame {
  protected readonly state;

  constructor(options: MinAtarOptions = {}) {
    super(freewayForm, options);
    const column = (width = 1) => new Int8Array(this.rows * width);
    // A car's speed is the number of steps between its moves, negative to the left.
    this.state = {
      last: this.last,
      y: column(),
      rest: column(),
      x: column(lanes),
      wait: column(lanes),
      speed: column(lanes),
      left: new Int32Array(this.rows),
    };
  }

  protected start(row: number): void {
    this.state.x.fill(0, row * lanes, (row + 1) * lanes);
    this.shuffle(row);
    this.state.y[row] = bottom;
    this.state.rest[row] = pace;
    this.state.left[row] = time;
  }

  /** New speeds and directions for all cars. */
  private shuffle(row: number): void {
    const { wait, speed } = this.state;
    const random = this.random[row];
    for (let i = row * lanes; i < (row + 1) * lanes; i++) wait[i] = random.integers(1, speeds + 1);
    for (let i = row * lanes; i < (row + 1) * lanes; i++) speed[i] = random.chance(0.5) ? -wait[i] : wait[i];
  }

  protected play(row: number, action: number): number {
    const { y, rest, x, wait, speed, left } = this.state;
    if (rest[row] === 0 && (action === up || action === down)) {
      rest[row] = pace;
      y[row] = action === up ? y[row] - 1 : Math.min(bottom, y[row] + 1);
    }
    let reward = 0;
    if (y[row] === 0) {
      reward = 1;
      this.shuffle(row);
      y[row] = bottom;
    }
    for (let lane = 0; lane < lanes; lane++) {
      const i = row * lanes + lane;
      if (x[i] === column4 && lane + 1 === y[row]) y[row] = bottom;
      if (wait[i] > 0) {
        wait[i]--;
        continue;
      }
      wait[i] = Math.abs(speed[i]);
      x[i] = (x[i] + (speed[i] > 0 ? 1 : 9)) % 10;
      if (x[i] === column4 && lane + 1 === y[row]) y[row] = bottom;
    }
    if (rest[row] > 0) rest[row]--;
    if (--left[row] < 0) this.terminated.data[row] = 1;
    return reward;
  }

  protected paint(row: number): void {
    const { y, x, speed } = this.state;
    this.show(row, y[row], column4, chicken);
    for (let lane = 0; lane < lanes; lane++) {
      const i = row * lanes + lane;
      this.show(row, lane + 1, x[i], car);
      const behind = (x[i] + (speed[i] > 0 ? 9 : 1)) % 10;
      this.show(row, lane + 1, behind, slowest + Math.abs(speed[i]) - 1);
    }
  }
}
