import { type DifficultyOptions, down, left, MinAtarGame, none, right, up } from "./game.ts";

const [player, enemy, trail, gold] = [0, 1, 2, 3];
/** Its channels and actions. */
export const asterixForm = {
  name: "MinAtar/Asterix",
  channels: [
    { name: "player", letter: "@", color: "#58a6ff" },
    { name: "enemy", letter: "X", color: "#f85149" },
    { name: "trail", letter: ".", color: "#8b949e", trail: true },
    { name: "gold", letter: "$", color: "#e3b341" },
  ],
  actions: [none, left, up, right, down],
} as const;

/** Lanes with one object each: 1 to 8. */
export const lanes = 8;
export const rampInterval = 100;
/** An empty lane. */
const empty = -1;

/** Collect gold, reward 1 each, and avoid enemies; both cross the screen, ever faster. */
export class Asterix extends MinAtarGame {
  protected readonly state;
  private readonly ramping: boolean;

  constructor({ ramping = true, ...options }: DifficultyOptions = {}) {
    super(asterixForm, options);
    this.ramping = ramping;
    const column = (width = 1) => new Int8Array(this.rows * width);
    this.state = {
      last: this.last,
      x: column(),
      y: column(),
      thing: column(lanes),
      rightward: column(lanes),
      golden: column(lanes),
      spawnSpeed: column(),
      spawnTimer: column(),
      moveSpeed: column(),
      moveTimer: column(),
      rampTimer: column(),
      ramps: new Int32Array(this.rows),
    };
  }

  protected start(row: number): void {
    const { x, y, thing, spawnSpeed, spawnTimer, moveSpeed, moveTimer, rampTimer, ramps } = this.state;
    x[row] = y[row] = 5;
    thing.fill(empty, row * lanes, (row + 1) * lanes);
    spawnSpeed[row] = spawnTimer[row] = 10;
    moveSpeed[row] = moveTimer[row] = 5;
    rampTimer[row] = rampInterval;
    ramps[row] = 0;
  }

  protected play(row: number, action: number): number {
    const { x, y, thing, rightward, spawnSpeed, spawnTimer, moveSpeed, moveTimer } = this.state;
    if (spawnTimer[row] === 0) {
      this.spawn(row);
      spawnTimer[row] = spawnSpeed[row];
    }
    if (action === left) x[row] = Math.max(0, x[row] - 1);
    else if (action === right) x[row] = Math.min(9, x[row] + 1);
    else if (action === up) y[row] = Math.max(1, y[row] - 1);
    else if (action === down) y[row] = Math.min(8, y[row] + 1);

    let reward = this.meet(row);
    if (moveTimer[row] === 0) {
      moveTimer[row] = moveSpeed[row];
      for (let i = row * lanes; i < (row + 1) * lanes; i++) {
        if (thing[i] === empty) continue;
        thing[i] += rightward[i] ? 1 : -1;
        if (thing[i] > 9) thing[i] = empty;
      }
      reward += this.meet(row);
    }
    spawnTimer[row]--;
    moveTimer[row]--;
    if (this.ramping) this.ramp(row);
    return reward;
  }

  /** Collects the gold in the player's cell, or ends the game at an enemy. */
  private meet(row: number): number {
    const { x, y, thing, golden } = this.state;
    const lane = row * lanes + y[row] - 1;
    if (thing[lane] !== x[row]) return 0;
    if (golden[lane]) {
      thing[lane] = empty;
      return 1;
    }
    this.terminated.data[row] = 1;
    return 0;
  }

  /** An object enters an empty lane, if there is one. */
  private spawn(row: number): void {
    const { thing, rightward, golden } = this.state;
    const random = this.random[row];
    const toRight = random.chance(1 / 2);
    const isGold = random.chance(1 / 3);
    let free = 0;
    for (let i = row * lanes; i < (row + 1) * lanes; i++) if (thing[i] === empty) free++;
    if (free === 0) return;
    let nth = random.integers(0, free);
    let lane = row * lanes;
    while (thing[lane] !== empty || nth-- > 0) lane++;
    thing[lane] = toRight ? 0 : 9;
    rightward[lane] = toRight ? 1 : 0;
    golden[lane] = isGold ? 1 : 0;
  }

  private ramp(row: number): void {
    const { spawnSpeed, moveSpeed, rampTimer, ramps } = this.state;
    if (spawnSpeed[row] <= 1 && moveSpeed[row] <= 1) return;
    if (rampTimer[row] >= 0) {
      rampTimer[row]--;
      return;
    }
    if (moveSpeed[row] > 1 && ramps[row] % 2 === 1) moveSpeed[row]--;
    if (spawnSpeed[row] > 1) spawnSpeed[row]--;
    ramps[row]++;
    rampTimer[row] = rampInterval;
  }

  protected paint(row: number): void {
    const { x, y, thing, rightward, golden } = this.state;
    this.show(row, y[row], x[row], player);
    for (let lane = 0; lane < lanes; lane++) {
      const i = row * lanes + lane;
      if (thing[i] === empty) continue;
      this.show(row, lane + 1, thing[i], golden[i] ? gold : enemy);
      const behind = thing[i] + (rightward[i] ? -1 : 1);
      if (behind >= 0 && behind <= 9) this.show(row, lane + 1, behind, trail);
    }
  }
}
