import type { EnvSpec } from "../env.ts";
import { discrete, type Value } from "../space.ts";
import type { MultiEnv, MultiStep } from "./multi-env.ts";

/** Two players add 1 or 2 in turn; the one that reaches 6 or more wins. */
export class Count implements MultiEnv {
  readonly spec: EnvSpec = {
    id: "Count-v0",
    observation: discrete(10),
    action: discrete(2),
    agents: { names: ["first", "second"], order: "turns" },
  };
  total = 0;
  turn = 0;
  got: (Value | null)[] = [];

  reset() {
    this.total = this.turn = 0;
    return { observations: [0, 0], alive: [true, false] };
  }

  step(actions: readonly (Value | null)[]): MultiStep {
    this.got = [...actions];
    this.total += (actions[this.turn] as number) + 1;
    const over = this.total >= 6;
    const winner = this.turn;
    this.turn = 1 - this.turn;
    const observations: (Value | null)[] = [null, null];
    observations[this.turn] = this.total;
    return {
      observations,
      alive: [0, 1].map((i) => i === this.turn),
      rewards: over ? [0, 1].map((i) => (i === winner ? 1 : -1)) : [0, 0],
      terminated: [over, over],
      truncated: [false, false],
      over,
    };
  }

  mask(slot: number) {
    return [1, slot];
  }
}
