import { fail, type Snapshot } from "@reins/core";
import type { Generator } from "@reins/core/random";
import { restore, save } from "@reins/core/snapshots";
import type { AssignedLevel, LevelTeacher } from "./level-teacher.ts";
import { pick } from "./pick.ts";

/** Id of a level that is not stored yet. */
const invented = -1;

/** Settings of {@link LevelReplay}. Levels are plain data. */
export interface LevelReplayOptions<L> {
  /** Levels given by the user. They are never evicted. */
  readonly given: readonly L[];
  readonly random: Generator;
  /**
   * Temperature of the rank-based priorities: 0.1 nearly always plays the levels with the largest errors; Infinity
   * is uniform.
   */
  readonly temperature?: number;
  /** Fraction of episodes sampled by staleness. */
  readonly staleness?: number;
  /** Makes a new level, optionally from a stored one, which `draw` samples by priority. */
  readonly invent?: (draw: () => L) => L;
  /** Probability of a new level. */
  readonly fresh?: number;
  /** Maximum number of stored levels, including the given ones. */
  readonly capacity?: number;
  /**
   * "all": given and new levels are sampled alike. "rising": only given levels at the start, and all levels with
   * this temperature at the end.
   */
  readonly mixing?: "all" | { readonly rising: number };
}

type Entry<L> = { id: number; level: L; error: number; best: number; seen: boolean; at: number };

/**
 * Prioritised level replay (Jiang et al., 2021): levels with large value errors are replayed more often, by rank,
 * as are stale levels. New levels are stored if they were solved and have larger errors than the lowest-ranked
 * generated level (Parker-Holder et al., 2022; Garcin et al., 2024).
 */
export class LevelReplay<L> implements LevelTeacher<L> {
  progress = 0;
  private readonly o: Required<Omit<LevelReplayOptions<L>, "invent">> & Pick<LevelReplayOptions<L>, "invent">;
  private entries: Entry<L>[];
  private draws = 0;
  private numbered: number;

  constructor(options: LevelReplayOptions<L>) {
    const capacity = options.given.length * 4;
    this.o = { temperature: 0.1, staleness: 0.3, fresh: 0.5, capacity, mixing: "all", ...options };
    if (options.given.length === 0) fail("LevelReplay", "no levels given. Pass at least one.");
    this.numbered = options.given.length;
    this.entries = options.given.map((level, id) => ({
      id,
      level,
      error: 0,
      best: -Infinity,
      seen: false,
      at: 0,
    }));
  }

  /** Stored levels, given ones first. */
  get levels(): readonly L[] {
    return this.entries.map(({ level }) => level);
  }

  next(): AssignedLevel<L> {
    const { random, given, invent, fresh, mixing, temperature } = this.o;
    this.draws++;
    const unseen = this.entries.flatMap(({ seen }, i) => (seen ? [] : [i]));
    if (unseen.length) return this.take(unseen[random.integers(unseen.length)]);
    if (!invent || (mixing !== "all" && random.random() >= this.progress))
      return this.take(this.draw(given.length, temperature));
    const heat = mixing === "all" ? temperature : mixing.rising;
    const any = () => this.draw(this.entries.length, heat);
    if (random.random() >= fresh) return this.take(any());
    return { level: invent(() => this.entries[any()].level), id: invented };
  }

  update({ level, id }: AssignedLevel<L>, error: number, rewards: number): void {
    if (id === invented) {
      if (rewards > 0) this.offer(level, error, rewards);
      return;
    }
    // Another level may have replaced it during the episode.
    const entry = this.entries.find((e) => e.id === id);
    if (!entry) return;
    entry.error = error;
    entry.best = Math.max(entry.best, rewards);
  }

  /** Stores a new level; when full, replaces the generated level with the lowest priority. */
  private offer(level: L, error: number, best: number): void {
    const entry = { id: this.numbered++, level, error, best, seen: true, at: this.draws };
    if (this.entries.length < this.o.capacity) {
      this.entries.push(entry);
      return;
    }
    let least = this.o.given.length;
    for (let i = least; i < this.entries.length; i++) if (this.scoreOf(i) < this.scoreOf(least)) least = i;
    if (least < this.entries.length && this.scoreOf(least) <= error) this.entries[least] = entry;
  }

  /** An unsolved level has priority 0: it may be unsolvable. */
  private scoreOf = (i: number) => (this.entries[i].best > 0 ? this.entries[i].error : 0);

  private take(kept: number): AssignedLevel<L> {
    const entry = this.entries[kept];
    entry.seen = true;
    entry.at = this.draws;
    return { level: entry.level, id: entry.id };
  }

  /** One of the first `count` levels, sampled by the rank of its error or by staleness. */
  private draw(among: number, temperature: number): number {
    const { random, staleness, invent } = this.o;
    const scores = Array.from({ length: among }, (_, i) =>
      invent ? this.scoreOf(i) : this.entries[i].error,
    );
    const waits = Array.from({ length: among }, (_, i) => this.draws - this.entries[i].at);
    if (random.random() < staleness) return pick(waits, random);
    const ranked = scores.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || a - b);
    const rank = ranked.map((_, r) => (r + 1) ** (-1 / temperature));
    return ranked[pick(rank, random)];
  }

  save(): Snapshot {
    const { progress, draws, numbered, entries } = this;
    return { progress, draws, numbered, entries: save(entries), random: save(this.o.random) };
  }

  restore(from: Snapshot): void {
    const s = from as unknown as Pick<LevelReplay<L>, "progress"> & {
      readonly [name in "draws" | "numbered"]: number;
    } & { readonly entries: Snapshot; readonly random: Snapshot };
    [this.progress, this.draws, this.numbered] = [s.progress, s.draws, s.numbered];
    this.entries = save(s.entries) as unknown as Entry<L>[];
    restore(this.o.random, s.random);
  }
}
