/** Clamps a value. */
const clamp = (x: number, low: number, high: number) => Math.max(low, Math.min(high, x));

/** A lander's control targets: angle and vertical speed. */
function landerWish(seen: ArrayLike<number>): { readonly turn: number; readonly rise: number } {
  const [x, y, speedX, speedY, angle, spin] = Array.from(seen);
  // A leg on the ground: only slow the fall.
  if (seen[6] || seen[7]) return { turn: 0, rise: -0.5 * speedY };
  // Lean towards the middle, and stay higher the farther away it is.
  const lean = clamp(0.5 * x + speedX, -0.4, 0.4);
  return {
    turn: 0.5 * (lean - angle) - spin,
    rise: 0.5 * (0.55 * Math.abs(x) - y) - 0.5 * speedY,
  };
}

/** Gymnasium's heuristic player of `LunarLander-v3`: about 235 points per episode. */
export function landerHeuristic(observation: ArrayLike<number>): number {
  const { turn, rise } = landerWish(observation);
  if (rise > Math.abs(turn) && rise > 0.05) return 2;
  if (turn < -0.05) return 3;
  return turn > 0.05 ? 1 : 0;
}

/** The heuristic player with throttles, for `LunarLanderContinuous-v3`: about 284 points per episode. */
export function continuousLanderHeuristic(observation: ArrayLike<number>): [main: number, side: number] {
  const { turn, rise } = landerWish(observation);
  return [clamp(20 * rise - 1, -1, 1), clamp(-20 * turn, -1, 1)];
}

/** Above this speed it falls forward. */
const pace = 0.29;
/** The angle of a supporting knee. */
const bent = 0.1;

/**
 * Gymnasium's heuristic player of `BipedalWalker-v3`, which does not balance and falls sometimes. It is stateful,
 * so each episode needs a new one.
 */
export function walkerHeuristic(): (observation: ArrayLike<number>) => number[] {
  let phase: "swing" | "put down" | "push off" = "swing";
  let moving = 0;
  let carrying = bent;
  return (seen) => {
    const hips: (number | undefined)[] = [undefined, undefined];
    const knees: (number | undefined)[] = [undefined, undefined];
    const standing = 1 - moving;
    // Hip angle and velocity, knee angle and velocity, and foot contact.
    const at = [4, 9];
    if (phase === "swing") {
      hips[moving] = 1.1;
      knees[moving] = -0.6;
      carrying = Math.min(carrying + (seen[2] > pace ? 0.06 : 0.03), bent);
      knees[standing] = carrying;
      if (seen[at[standing]] < 0.1) phase = "put down";
    }
    if (phase === "put down") {
      hips[moving] = 0.1;
      knees[moving] = bent;
      knees[standing] = carrying;
      if (seen[at[moving] + 4]) {
        phase = "push off";
        carrying = Math.min(seen[at[moving] + 2], bent);
      }
    }
    if (phase === "push off") {
      knees[moving] = carrying;
      knees[standing] = 1;
      if (seen[at[standing] + 2] > 0.88 || seen[2] > 1.2 * pace) {
        phase = "swing";
        moving = standing;
      }
    }
    // Hips keep the hull upright, and knees damp its vertical motion.
    const upright = 0.9 * seen[0] + 1.5 * seen[1];
    return at.flatMap((first, leg) => {
      const [hip, knee] = [hips[leg], knees[leg]];
      const toHip = hip === undefined ? 0 : 0.9 * (hip - seen[first]) - 0.25 * seen[first + 1];
      const toKnee = knee === undefined ? 0 : 4 * (knee - seen[first + 2]) - 0.25 * seen[first + 3];
      return [clamp(0.5 * (toHip + upright), -1, 1), clamp(0.5 * (toKnee - 15 * seen[3]), -1, 1)];
    });
  };
}
