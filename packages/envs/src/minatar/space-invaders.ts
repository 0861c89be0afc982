import { type DifficultyOptions, fire, left, MinAtarGame, none, right, side } from "./game.ts";

const [cannon, alien, toLeft, toRight, bullet, bomb] = [0, 1, 2, 3, 4, 5];
/** Its channels and actions. */
export const spaceInvadersForm = {
  name: "MinAtar/SpaceInvaders",
  channels: [
    { name: "cannon", letter: "A", color: "#58a6ff" },
    { name: "alien", letter: "M", color: "#3fb950" },
    { name: "to left", letter: "<", color: "#a5d6a7", trail: true },
    { name: "to right", letter: ">", color: "#fff59d", trail: true },
    { name: "bullet", letter: "'", color: "#f0f6fc" },
    { name: "bomb", letter: "!", color: "#f85149" },
  ],
  actions: [none, left, right, fire],
} as const;

export const coolDown = 5;
export const slowest = 12;
export const fastest = 6;
export const bombInterval = 10;
/** A row of a wave, and its size: the columns 2 to 7 of the rows 0 to 3. */
export const waveLine = 0b0011111100;
export const waveLines = 4;
export const wave = 24;
export const full = 0b1111111111;

/**
 * Shoot aliens, reward 1 each, that descend row by row and drop bombs on the cannon; the fewer are left, the
 * faster they are, and each wave is faster than the previous one. Rows of the screen are masks with a bit per
 * column.
 */
export class SpaceInvaders extends MinAtarGame {
  protected readonly state;
  private readonly ramping: boolean;

  constructor({ ramping = true, ...options }: DifficultyOptions = {}) {
    super(spaceInvadersForm, options);
    this.ramping = ramping;
    const column = () => new Int8Array(this.rows);
    const lines = () => new Int16Array(this.rows * side);
    this.state = {
      last: this.last,
      x: column(),
      aliens: lines(),
      bullets: lines(),
      bombs: lines(),
      count: column(),
      direction: column(),
      interval: column(),
      moveTimer: column(),
      bombTimer: column(),
      shotTimer: column(),
    };
  }

  protected start(row: number): void {
    const { x, aliens, bullets, bombs, direction, interval, moveTimer, bombTimer, shotTimer } = this.state;
    x[row] = 5;
    aliens.fill(0, row * side, (row + 1) * side);
    bullets.fill(0, row * side, (row + 1) * side);
    bombs.fill(0, row * side, (row + 1) * side);
    this.invade(row);
    direction[row] = -1;
    interval[row] = moveTimer[row] = slowest;
    bombTimer[row] = bombInterval;
    shotTimer[row] = 0;
  }

  private invade(row: number): void {
    this.state.aliens.fill(waveLine, row * side, row * side + waveLines);
    this.state.count[row] = wave;
  }

  protected play(row: number, action: number): number {
    const { x, aliens, bullets, bombs, count, interval, moveTimer, bombTimer, shotTimer } = this.state;
    const top = row * side;
    const low = top + side - 1;
    if (action === fire && shotTimer[row] === 0) {
      bullets[low] |= 1 << x[row];
      shotTimer[row] = coolDown;
    } else if (action === left) x[row] = Math.max(0, x[row] - 1);
    else if (action === right) x[row] = Math.min(9, x[row] + 1);

    const here = 1 << x[row];
    for (let i = top; i < low; i++) bullets[i] = bullets[i + 1];
    bullets[low] = 0;
    for (let i = low; i > top; i--) bombs[i] = bombs[i - 1];
    bombs[top] = 0;
    let over = (bombs[low] & here) | (aliens[low] & here);
    if (moveTimer[row] === 0) {
      moveTimer[row] = Math.min(count[row], interval[row]);
      over |= this.march(row, top, low) | (aliens[low] & here);
    }
    if (bombTimer[row] === 0) {
      bombTimer[row] = bombInterval;
      this.drop(top, x[row]);
    }
    let hits = 0;
    for (let i = top; i <= low; i++) {
      const hit = aliens[i] & bullets[i];
      if (hit === 0) continue;
      hits += bitsIn(hit);
      aliens[i] &= ~hit;
      bullets[i] &= ~hit;
    }
    count[row] -= hits;
    if (shotTimer[row] > 0) shotTimer[row]--;
    moveTimer[row]--;
    bombTimer[row]--;
    if (count[row] === 0) {
      if (this.ramping && interval[row] > fastest) interval[row]--;
      this.invade(row);
    }
    if (over !== 0) this.terminated.data[row] = 1;
    return hits;
  }

  /**
   * All aliens move one column, or down one row and reverse; returns more than 0 if they were already in the
   * lowest row.
   */
  private march(row: number, top: number, low: number): number {
    const { aliens, direction } = this.state;
    let columns = 0;
    for (let i = top; i <= low; i++) columns |= aliens[i];
    const atEdge = direction[row] < 0 ? columns & 1 : columns & (1 << 9);
    if (atEdge === 0) {
      for (let i = top; i <= low; i++)
        aliens[i] = direction[row] < 0 ? aliens[i] >> 1 : (aliens[i] << 1) & full;
      return 0;
    }
    direction[row] = -direction[row];
    const landed = aliens[low];
    for (let i = low; i > top; i--) aliens[i] = aliens[i - 1];
    aliens[top] = landed;
    return landed;
  }

  /** The lowest alien of the column nearest to the cannon, the left one of two, drops a bomb. */
  private drop(top: number, x: number): void {
    for (let distance = 0; distance < side; distance++)
      if (this.dropFrom(top, x - distance) || this.dropFrom(top, x + distance)) return;
  }

  private dropFrom(top: number, column: number): boolean {
    if (column < 0 || column > 9) return false;
    const bit = 1 << column;
    for (let i = top + side - 1; i >= top; i--)
      if (this.state.aliens[i] & bit) {
        this.state.bombs[i] |= bit;
        return true;
      }
    return false;
  }

  protected paint(row: number): void {
    const { x, aliens, bullets, bombs, direction } = this.state;
    this.show(row, 9, x[row], cannon);
    const way = direction[row] < 0 ? toLeft : toRight;
    for (let y = 0; y < side; y++) {
      const i = row * side + y;
      if ((aliens[i] | bullets[i] | bombs[i]) === 0) continue;
      for (let column = 0; column < side; column++) {
        const bit = 1 << column;
        if (aliens[i] & bit) {
          this.show(row, y, column, alien);
          this.show(row, y, column, way);
        }
        if (bullets[i] & bit) this.show(row, y, column, bullet);
        if (bombs[i] & bit) this.show(row, y, column, bomb);
      }
    }
  }
}

function bitsIn(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}
