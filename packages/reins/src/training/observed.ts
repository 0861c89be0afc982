import type { VectorEnv } from "@reins/core";
import type { EnvSource, Source } from "../places/source.ts";
import type { Listeners } from "./callbacks.ts";

/** The place with listeners at its training environments; where nobody listens, and where nothing is stepped, it is as it was. */
export function observed(place: Source, listeners: Listeners): Source {
  if (!place.make || !listeners.watchesEnv) return place;
  const source: EnvSource = place;
  return {
    ...source,
    make: (rows) => listened(source.make(rows), listeners),
    // Where an agent is measured nobody is told.
    evaluation: source.evaluation ?? { spec: source.spec, make: (rows) => source.make(rows) },
  };
}

/** An environment that tells of its steps and episodes, and is the inner one in all else: a checkpoint of one fits the other. */
function listened(inner: VectorEnv, listeners: Listeners): VectorEnv {
  const {
    spec,
    rows,
    observation,
    final,
    reward,
    terminated,
    truncated,
    mask,
    alive,
    global,
    finalGlobal,
    ended,
  } = inner;
  const env: VectorEnv = {
    ...{ spec, rows, observation, final, reward, terminated, truncated, ended },
    ...(mask ? { mask } : {}),
    ...(alive ? { alive } : {}),
    ...(global ? { global } : {}),
    ...(finalGlobal ? { finalGlobal } : {}),
    ...(inner.render ? { render: (row: number) => inner.render!(row) } : {}),
    ...(inner.picture ? { picture: (row: number) => inner.picture!(row) } : {}),
    reset: (options) => inner.reset(options),
    save: () => inner.save(),
    restore: (from) => inner.restore(from),
    close: () => inner.close?.(),
    step(action) {
      inner.step(action);
      if (listeners.watchesSteps) listeners.step(env);
      for (let row = 0; row < rows; row++) {
        const over = terminated.data[row] !== 0;
        if (over || truncated.data[row] !== 0)
          listeners.episode({
            row,
            return: ended.return[row],
            length: ended.length[row],
            terminated: over,
          });
      }
    },
  };
  return env;
}
