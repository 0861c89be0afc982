import { walked } from "../coverage/field.ts";
import { type TabularMdp, tabularMdp } from "../tabular/mdp.ts";

/** Options of a turned field. */
export interface RotatedFieldOptions {
  /** Rotation of the directions in quarter turns; between two quarters one is chosen at random. */
  readonly turn: number;
  /** Cells along each side. */
  readonly size?: number;
}

/**
 * A square field from the upper left corner with reward 1 in the lower right: up (0), right (1), down (2), left
 * (3), all rotated by the same angle. A contextual family of tasks: the right action at one angle is wrong half a
 * turn away, and angles between quarters are harder.
 */
export function rotatedFieldModel({ turn, size = 5 }: RotatedFieldOptions): TabularMdp {
  const [states, quarters] = [size * size, Math.floor(turn)];
  const start = Array.from({ length: states }, (_, s) => (s === 0 ? 1 : 0));
  return tabularMdp({ id: "TurnedField-v0", states, actions: 4, start }, (from, action) =>
    [1 - (turn - quarters), turn - quarters]
      .map((probability, i) => {
        const state = walked(size, from, (((action + quarters + i) % 4) + 4) % 4);
        return { probability, state, reward: state === states - 1 ? 1 : 0, terminated: state === states - 1 };
      })
      .filter((o) => o.probability > 0),
  );
}
