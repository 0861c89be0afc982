import { type DifficultyOptions, down, fire, left, MinAtarGame, none, right, up } from "./game.ts";
import { enter, firstAt, leave, type Swimmers, swim, swimmers } from "./swimmers.ts";

const [front, rear, bullet, trail, torpedo, fish, submarine, oxygen, aboard, diver] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];
/** Its channels and actions. */
export const seaquestForm = {
  name: "MinAtar/Seaquest",
  channels: [
    { name: "front", letter: "@", color: "#58a6ff" },
    { name: "rear", letter: "o", color: "#1f6feb" },
    { name: "bullet", letter: "'", color: "#f0f6fc" },
    { name: "trail", letter: ".", color: "#8b949e", trail: true },
    { name: "torpedo", letter: "!", color: "#ff7b72" },
    { name: "fish", letter: "f", color: "#db6d28" },
    { name: "submarine", letter: "S", color: "#f85149" },
    { name: "oxygen", letter: "_", color: "#a5d6ff" },
    { name: "aboard", letter: "&", color: "#7ee787" },
    { name: "diver", letter: "d", color: "#3fb950" },
  ],
  actions: [none, left, up, right, down, fire],
} as const;

export const mostOxygen = 200;
export const coolDown = 5;
export const reloadTime = 10;
export const diverInterval = 30;
export const diverWait = 5;
export const crew = 6;

/**
 * A submarine that shoots fish and other submarines, reward 1 each, and picks up divers. It must surface with one
 * on board before its oxygen runs out, which makes the enemies faster; with six divers the remaining oxygen is
 * rewarded, up to 10.
 */
export class Seaquest extends MinAtarGame {
  protected readonly state;
  private readonly ramping: boolean;

  constructor({ ramping = true, ...options }: DifficultyOptions = {}) {
    super(seaquestForm, options);
    this.ramping = ramping;
    const { rows } = this;
    const column = () => new Int32Array(rows);
    // The maximum numbers follow from spawn rates and the time to cross ten cells: enemies at most 61, each with
    // one torpedo, divers 3 and bullets 3.
    this.state = {
      last: this.last,
      x: column(),
      y: column(),
      rightward: column(),
      oxygen: column(),
      divers: swimmers(rows, 4),
      bullets: swimmers(rows, 4),
      torpedoes: swimmers(rows, 64),
      fish: swimmers(rows, 64),
      submarines: swimmers(rows, 64),
      aboard: column(),
      surfaced: column(),
      spawnSpeed: column(),
      spawnTimer: column(),
      diverTimer: column(),
      moveSpeed: column(),
      shotTimer: column(),
      ramps: column(),
    };
  }

  protected start(row: number): void {
    const { state } = this;
    state.x[row] = 5;
    state.y[row] = 0;
    state.rightward[row] = 0;
    state.oxygen[row] = mostOxygen;
    state.aboard[row] = 0;
    state.surfaced[row] = 1;
    state.divers.count[row] = state.bullets.count[row] = state.torpedoes.count[row] = 0;
    state.fish.count[row] = state.submarines.count[row] = 0;
    state.spawnSpeed[row] = state.spawnTimer[row] = 20;
    state.diverTimer[row] = diverInterval;
    state.moveSpeed[row] = 5;
    state.shotTimer[row] = state.ramps[row] = 0;
  }

  protected play(row: number, action: number): number {
    const { state } = this;
    if (state.spawnTimer[row] === 0) {
      this.spawnEnemy(row);
      state.spawnTimer[row] = state.spawnSpeed[row];
    }
    if (state.diverTimer[row] === 0) {
      this.spawnDiver(row);
      state.diverTimer[row] = diverInterval;
    }
    this.act(row, action);
    let reward = this.moveBullets(row);
    this.moveDivers(row);
    reward += this.moveEnemies(row, state.submarines, true);
    this.moveTorpedoes(row);
    reward += this.moveEnemies(row, state.fish, false);
    if (state.spawnTimer[row] > 0) state.spawnTimer[row]--;
    if (state.diverTimer[row] > 0) state.diverTimer[row]--;
    if (state.shotTimer[row] > 0) state.shotTimer[row]--;
    // As an integer: a fraction would be boxed wherever the engine does not inline this function.
    return (reward + this.breathe(row)) | 0;
  }

  private act(row: number, action: number): void {
    const { x, y, rightward, bullets, shotTimer } = this.state;
    if (action === fire && shotTimer[row] === 0) {
      enter(bullets, row, x[row], y[row], rightward[row], 0, 0);
      shotTimer[row] = coolDown;
    } else if (action === left) {
      x[row] = Math.max(0, x[row] - 1);
      rightward[row] = 0;
    } else if (action === right) {
      x[row] = Math.min(9, x[row] + 1);
      rightward[row] = 1;
    } else if (action === up) y[row] = Math.max(0, y[row] - 1);
    else if (action === down) y[row] = Math.min(8, y[row] + 1);
  }

  private moveBullets(row: number): number {
    const { bullets, fish, submarines } = this.state;
    let reward = 0;
    for (let i = row * bullets.most + bullets.count[row] - 1; i >= row * bullets.most; i--) {
      if (!swim(bullets, i)) leave(bullets, row, i);
      else if (this.hit(row, fish, i) || this.hit(row, submarines, i)) reward++;
    }
    return reward;
  }

  /** The bullet at `i` removes the first of `list` in its cell. */
  private hit(row: number, list: Swimmers, i: number): boolean {
    const { bullets } = this.state;
    const met = firstAt(list, row, bullets.x[i], bullets.y[i]);
    if (met < 0) return false;
    leave(list, row, met);
    leave(bullets, row, i);
    return true;
  }

  private moveDivers(row: number): void {
    const { divers, aboard } = this.state;
    for (let i = row * divers.most + divers.count[row] - 1; i >= row * divers.most; i--) {
      let taken = aboard[row] < crew && this.isHere(row, divers, i);
      if (!taken && divers.wait[i] > 0) divers.wait[i]--;
      else if (!taken) {
        divers.wait[i] = diverWait;
        if (!swim(divers, i)) {
          leave(divers, row, i);
          continue;
        }
        taken = aboard[row] < crew && this.isHere(row, divers, i);
      }
      if (taken) {
        leave(divers, row, i);
        aboard[row]++;
      }
    }
  }

  /** Fish or submarines move, end the game at the player, and are shot by bullets that they run into. */
  private moveEnemies(row: number, list: Swimmers, armed: boolean): number {
    const { bullets, torpedoes, moveSpeed } = this.state;
    const over = this.terminated.data;
    let reward = 0;
    for (let i = row * list.most + list.count[row] - 1; i >= row * list.most; i--) {
      if (this.isHere(row, list, i)) over[row] = 1;
      let removed = false;
      if (list.wait[i] === 0) {
        list.wait[i] = moveSpeed[row];
        removed = !swim(list, i);
        if (!removed && this.isHere(row, list, i)) over[row] = 1;
        else if (!removed) {
          const met = firstAt(bullets, row, list.x[i], list.y[i]);
          removed = met >= 0;
          if (removed) {
            leave(bullets, row, met);
            reward++;
          }
        }
      } else list.wait[i]--;
      if (armed && list.reload[i] === 0) {
        // One that is shot in this step still fires.
        list.reload[i] = reloadTime;
        enter(torpedoes, row, list.x[i], list.y[i], list.rightward[i], 0, 0);
      } else if (armed) list.reload[i]--;
      if (removed) leave(list, row, i);
    }
    return reward;
  }

  private moveTorpedoes(row: number): void {
    const { torpedoes } = this.state;
    for (let i = row * torpedoes.most + torpedoes.count[row] - 1; i >= row * torpedoes.most; i--) {
      if (this.isHere(row, torpedoes, i)) this.terminated.data[row] = 1;
      if (!swim(torpedoes, i)) leave(torpedoes, row, i);
      else if (this.isHere(row, torpedoes, i)) this.terminated.data[row] = 1;
    }
  }

  private isHere(row: number, list: Swimmers, i: number): boolean {
    return list.x[i] === this.state.x[row] && list.y[i] === this.state.y[row];
  }

  /** Oxygen falls under water; the surface refills it, for a diver. */
  private breathe(row: number): number {
    const { y, oxygen, aboard, surfaced } = this.state;
    if (oxygen[row] <= 0) this.terminated.data[row] = 1;
    if (y[row] > 0) {
      oxygen[row]--;
      surfaced[row] = 0;
      return 0;
    }
    if (surfaced[row]) return 0;
    if (aboard[row] === 0) {
      this.terminated.data[row] = 1;
      return 0;
    }
    surfaced[row] = 1;
    let reward = 0;
    if (aboard[row] === crew) {
      aboard[row] = 0;
      reward = Math.floor((oxygen[row] * 10) / mostOxygen) | 0;
    }
    oxygen[row] = mostOxygen;
    // As in the original, surfacing with six costs one diver afterwards.
    aboard[row]--;
    if (this.ramping) this.ramp(row);
    return reward;
  }

  private ramp(row: number): void {
    const { spawnSpeed, moveSpeed, ramps } = this.state;
    if (spawnSpeed[row] <= 1 && moveSpeed[row] <= 2) return;
    if (moveSpeed[row] > 2 && ramps[row] % 2 === 1) moveSpeed[row]--;
    if (spawnSpeed[row] > 1) spawnSpeed[row]--;
    ramps[row]++;
  }

  /** An enemy enters, unless others in its row come from the other side. */
  private spawnEnemy(row: number): void {
    const { fish, submarines, moveSpeed } = this.state;
    const random = this.random[row];
    const rightward = random.chance(1 / 2) ? 1 : 0;
    const armed = random.chance(1 / 3);
    const y = random.integers(1, 9);
    if (comesAgainst(fish, row, y, rightward) || comesAgainst(submarines, row, y, rightward)) return;
    const x = rightward ? 0 : 9;
    enter(armed ? submarines : fish, row, x, y, rightward, moveSpeed[row], reloadTime);
  }

  private spawnDiver(row: number): void {
    const random = this.random[row];
    const rightward = random.chance(1 / 2) ? 1 : 0;
    enter(this.state.divers, row, rightward ? 0 : 9, random.integers(1, 9), rightward, diverWait, 0);
  }

  protected paint(row: number): void {
    const { x, y, rightward, bullets, torpedoes, divers, submarines } = this.state;
    this.show(row, y[row], x[row], front);
    this.show(row, y[row], x[row] + (rightward[row] ? -1 : 1), rear);
    const air = Math.floor((Math.max(0, this.state.oxygen[row]) * 10) / mostOxygen);
    for (let i = 0; i < air; i++) this.show(row, 9, i, oxygen);
    for (let i = 9 - this.state.aboard[row]; i < 9; i++) this.show(row, 9, i, aboard);
    this.paintAll(row, bullets, bullet, false);
    this.paintAll(row, torpedoes, torpedo, false);
    this.paintAll(row, this.state.fish, fish, true);
    this.paintAll(row, submarines, submarine, true);
    this.paintAll(row, divers, diver, true);
  }

  private paintAll(row: number, list: Swimmers, channel: number, trails: boolean): void {
    const start = row * list.most;
    for (let i = start; i < start + list.count[row]; i++) {
      this.show(row, list.y[i], list.x[i], channel);
      const behind = list.x[i] + (list.rightward[i] ? -1 : 1);
      if (trails && behind >= 0 && behind <= 9) this.show(row, list.y[i], behind, trail);
    }
  }
}

function comesAgainst(list: Swimmers, row: number, y: number, rightward: number): boolean {
  const start = row * list.most;
  for (let i = start; i < start + list.count[row]; i++)
    if (list.y[i] === y && list.rightward[i] !== rightward) return true;
  return false;
}
