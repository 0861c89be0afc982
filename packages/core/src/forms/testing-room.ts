import type { EnvSpec, ResetOptions } from "../env.ts";
import type { Snapshot } from "../snapshot.ts";
import { box, discrete, type Value } from "../space.ts";
import type { MultiEnv, MultiStep } from "./multi-env.ts";

/**
 * Agents in a room: an agent with action 0 leaves with a reward of 1, and comes back two steps later. The episode is over after `limit`
 * steps. Each sees [own slot, time]; the global state is which agents are present.
 */
export class Room implements MultiEnv {
  readonly spec: EnvSpec;
  readonly globalSpace = box([3]);
  time = 0;
  away = [0, 0, 0];
  started = 0;
  private readonly limit: number;

  constructor(limit = 6, spec: Partial<EnvSpec> = {}) {
    this.limit = limit;
    const agents = { names: ["a", "b", "c"], order: "parallel" } as const;
    this.spec = { id: "Room-v0", observation: box([2]), action: discrete(2), agents, ...spec };
  }

  reset({ seed }: ResetOptions = {}) {
    this.time = 0;
    // The third agent arrives later.
    this.away = [0, 0, 2];
    this.started = seed ?? this.started + 100;
    return this.look([0, 1, 2]);
  }

  step(actions: readonly (Value | null)[]): MultiStep {
    this.time++;
    const left = actions.map((action) => action === 0);
    const present = this.away.map((n) => n === 0);
    this.away = this.away.map((n, i) => (left[i] ? 2 : Math.max(0, n - 1)));
    return {
      ...this.look(present.map((there, i) => (there ? i : -1))),
      rewards: left.map((x) => (x ? 1 : 0.5)),
      terminated: left,
      truncated: [false, false, false],
      over: this.time >= this.limit,
    };
  }

  /** Agents that were present get an observation, also when they leave; so do those that arrive. */
  private look(slots: number[]) {
    const observations = this.away.map((n, i) =>
      n === 0 || (this.time > 0 && slots.includes(i)) ? [i, this.time] : null,
    );
    return { observations };
  }

  global(): Value {
    return this.away.map((n) => (n === 0 ? 1 : 0));
  }

  save(): Snapshot {
    return [this.time, this.started, ...this.away];
  }

  restore(from: Snapshot): void {
    [this.time, this.started, ...this.away] = from as number[];
  }
}
