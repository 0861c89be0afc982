import { defaultRng, stream } from "@reins/core/random";
import { real } from "@reins/tensor";

/** A latency: its median, and the standard deviation of its logarithm (0: constant). */
export interface Latency {
  readonly median: number;
  readonly spread: number;
}

/**
 * A discrete-event clock for claims about asynchrony, with latencies that are fixed in the recipe, so that the same seed gives
 * the same times on every machine. Events at the same time run in the order of scheduling.
 */
export class SimulatedClock {
  /** The time of the current event. */
  now = 0;
  private readonly seed: number;
  private readonly draws = new Map<string, ReturnType<typeof defaultRng>>();
  private readonly waiting: { readonly at: number; readonly order: number; readonly event: () => void }[] =
    [];
  private order = 0;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** Schedules an event. */
  after(delay: number, event: () => void): void {
    const entry = { at: this.now + Math.max(0, delay), order: this.order++, event };
    let place = this.waiting.length;
    while (place > 0 && this.waiting[place - 1].at > entry.at) place--;
    this.waiting.splice(place, 0, entry);
  }

  /** Samples a latency of this name. Each name has its own random stream. */
  latency(name: string, { median, spread }: Latency): number {
    const draw = this.draws.get(name) ?? defaultRng(stream(this.seed, name));
    this.draws.set(name, draw);
    return median * real.exp(spread * draw.normal());
  }

  /** Runs all events, or all until a time. */
  run(until = Number.POSITIVE_INFINITY): void {
    while (this.waiting.length > 0 && this.waiting[0].at <= until) {
      const { at, event } = this.waiting.shift()!;
      this.now = at;
      event();
    }
    if (Number.isFinite(until)) this.now = Math.max(this.now, until);
  }
}
