import { walked } from "../coverage/field.ts";
import { type TabularMdp, tabularMdp } from "../tabular/mdp.ts";

/** Options of a key-door field. */
export interface KeyDoorOptions {
  /** Cells along each side. */
  readonly size?: number;
  /** Whether a wall with a locked door divides it. */
  readonly locked?: boolean;
  /**
   * Number of images of a screen that a fifth action switches on, one of them at random, until the agent moves; 0:
   * no screen.
   */
  readonly pictures?: number;
  /** Steps after which an episode is truncated. */
  readonly maxSteps?: number;
}

/**
 * A square field from the upper left corner, with reward 1 in the lower right: up (0), right (1), down (2), left
 * (3). If locked, a wall divides it in the middle, with a door in its last row that opens after visiting the key
 * in the lower left corner. A screen (4) shows images, all novel and useless: the noisy television of Burda et al.
 * (2018), which misleads novelty seeking.
 */
export function keyDoorModel(options: KeyDoorOptions = {}): TabularMdp {
  const { size = 7, locked = true, pictures = 0, maxSteps = 100 } = options;
  const [cells, wall] = [size * size, Math.floor(size / 2)];
  /** Cells without the key and with it, and each of them before each image. */
  const places = 2 * cells;
  const states = places * (1 + pictures);
  const start = Array.from({ length: states }, (_, s) => (s === 0 ? 1 : 0));
  const shown = Array.from({ length: places }, (_, place) =>
    Array.from({ length: pictures }, (_, i) => ({
      ...{ probability: 1 / pictures, state: place + places * (1 + i), reward: 0, terminated: false },
    })),
  );
  return tabularMdp(
    { id: "KeyDoor-v0", states, actions: pictures > 0 ? 5 : 4, start, maxSteps },
    (from, action) => {
      const [cell, key] = [from % cells, Math.floor(from / cells) % 2];
      if (action === 4) return shown[from % places];
      const to = walked(size, cell, action);
      const blocked = locked && to % size === wall && !(key === 1 && to >= cells - size);
      const at = blocked ? cell : to;
      const has = key === 1 || (locked && at === cells - size) ? 1 : 0;
      const over = at === cells - 1;
      return [{ probability: 1, state: at + cells * has, reward: over ? 1 : 0, terminated: over }];
    },
  );
}
