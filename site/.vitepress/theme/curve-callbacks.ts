import type { Callbacks } from "reins";

/** Most points of a curve. */
const resolution = 200;

/** Callbacks that report the mean return of the last 100 episodes, at most 200 times in a run. */
export function curveOf(point: (step: number, value: number) => void, steps: number): Callbacks {
  let next = 0;
  return {
    onUpdate(metrics, control) {
      const value = metrics["return/mean"];
      if (value === undefined || !Number.isFinite(value) || control.steps < next) return;
      next = control.steps + steps / resolution;
      point(control.steps, value);
    },
  };
}
