import type { RemoteCommand, RunState } from "@reins/core/directory";

/** A run that goes on in another process. Each answer tells how it is then. */
export interface RunControl {
  status(): Promise<RunState>;
  /** Fixes a setting of the algorithm at a number from now on and records it in the metrics (`setting/…`). Flag spelling works too: `learning-rate`. */
  set(setting: string, value: number): Promise<RunState>;
  /** Writes a row of metrics now. */
  log(): Promise<RunState>;
  /** Keeps the run as it is now: a checkpoint, where there can be one, and the agent. */
  save(): Promise<RunState>;
  /** Ends it; it can be resumed. */
  stop(): Promise<RunState>;
  /** Lets it wait until it is told to go on. */
  pause(): Promise<RunState>;
  go(): Promise<RunState>;
}

/**
 * Control over a run that goes on in another process, by its folder. Only the user who began it has it.
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
