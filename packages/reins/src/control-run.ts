import type { RemoteCommand, RunState } from "@reins/core/directory";

/** Control over a run in another process. Each answer contains the run's current state. */
export interface RunControl {
  status(): Promise<RunState>;
  /** Fixes a setting of the algorithm at a value and records it in the metrics (`setting/…`). Flag spelling works too: `learning-rate`. */
  set(setting: string, value: number): Promise<RunState>;
  /** Writes a row of metrics now. */
  log(): Promise<RunState>;
  /** Saves the run now: a checkpoint, if the environment supports it, and the agent. */
  save(): Promise<RunState>;
  /** Stops the run; it can be resumed. */
  stop(): Promise<RunState>;
  /** Pauses the run. */
  pause(): Promise<RunState>;
  go(): Promise<RunState>;
}

/**
 * Controls a run in another process, by its directory. Only the user who started the run can control it.
 *
 *     await controlRun("runs/ppo-CartPole-v1-1").set("learningRate", 1e-4);
 */
export function controlRun(folder: string): RunControl {
  const ask = async (command: RemoteCommand) => (await (await import("#node")).askRun(folder, command)).state;
  return {
    status: () => ask({ do: "status" }),
    set: (setting, value) => ask({ do: "set", setting, value }),
    log: () => ask({ do: "log" }),
    save: () => ask({ do: "save" }),
    stop: () => ask({ do: "stop" }),
    pause: () => ask({ do: "pause" }),
    go: () => ask({ do: "go" }),
  };
}
