import { defaultRng, stream } from "@reins/core";
import { real } from "@reins/tensor";

/** How long something takes: its median, and the deviation of its logarithm (0: always the same). */
export interface Latency {
  readonly median: number;
  readonly spread: number;
}

/**
 * A clock of events: claims about asynchrony are measured by it, with latencies that are fixed in the recipe, so that the same seed gives
 * the same time on every machine. Events at the same time come in the order in which they were asked for.
 */
export class SimulatedClock {
  /** The time of the event that is going on. */
  now = 0;
  private readonly seed: number;
  private readonly draws = new Map<string, ReturnType<typeof defaultRng>>();
  private readonly waiting: { readonly at: number; readonly order: number; readonly event: () => void }[] =
    [];
  private order = 0;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** Lets something happen later. */
  after(delay: number, event: () => void): void {
    const entry = { at: this.now + Math.max(0, delay), order: this.order++, event };
    let place = this.waiting.length;
    while (place > 0 && this.waiting[place - 1].at > entry.at) place--;
    this.waiting.splice(place, 0, entry);
  }

  /** Draws how long something of this name takes. Each name has draws of its own, whatever else is drawn. */
  latency(name: string, { median, spread }: Latency): number {
    const draw = this.draws.get(name) ?? defaultRng(stream(this.seed, name));
    this.draws.set(name, draw);
    return median * real.exp(spread * draw.normal());
  }

  /** Lets everything happen, or all until a time. */
  run(until = Number.POSITIVE_INFINITY): void {
    while (this.waiting.length > 0 && this.waiting[0].at <= until) {
      const { at, event } = this.waiting.shift()!;
      this.now = at;
      event();
    }
    if (Number.isFinite(until)) this.now = Math.max(this.now, until);
  }
}
