import type { ToolOutcome } from "../shared/tool-rewards.ts";

/** A sample: its mode, its reward and its length. */
export interface ModeSample {
  readonly mode: string;
  readonly reward: number;
  readonly length: number;
}

/** Mean and standard deviation of a sample. */
function statistics(values: readonly number[]) {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const squares = values.reduce((sum, v) => sum + (v - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / Math.max(1, values.length - 1)) + 1e-6 };
}

/**
 * The advantage of each mode: its mean reward among those of all modes; where these are equal, its mean length, so that
 * the shorter mode is better. Undefined unless the group has several modes, each with two samples or more.
 */
export function modeAdvantages(group: readonly ModeSample[]): Map<string, number> | undefined {
  const modes = [...new Set(group.map((s) => s.mode))];
  const members = modes.map((mode) => group.filter((s) => s.mode === mode));
  if (modes.length < 2 || members.some((m) => m.length < 2)) return undefined;
  const meansOf = (of: (s: ModeSample) => number) => members.map((m) => statistics(m.map(of)).mean);
  const [rewards, lengths] = [meansOf((s) => s.reward), meansOf((s) => s.length)];
  const [r, l] = [statistics(rewards), statistics(lengths)];
  const isEqual = rewards.every((reward) => reward === rewards[0]);
  return new Map(
    modes.map((mode, i) => [
      mode,
      isEqual ? Math.tanh(-(lengths[i] - l.mean) / l.deviation) : (rewards[i] - r.mean) / r.deviation,
    ]),
  );
}

/** The advantage of each sample in its group, plus that of its mode. */
export function ampo(group: readonly ModeSample[], weighsModes: boolean): number[] {
  const { mean, deviation } = statistics(group.map((s) => s.reward));
  const modes = weighsModes ? modeAdvantages(group) : undefined;
  return group.map((s) => (s.reward - mean) / deviation + (modes?.get(s.mode) ?? 0));
}

/** A mode is answering at once, or with calls; the number of calls stands for the length. */
export const sampleOf = ({ right, made }: ToolOutcome): ModeSample => ({
  mode: made.length ? "calls" : "at once",
  reward: Number(right),
  length: made.length,
});
