import { short } from "../words.ts";
import { gradientOf, type Tint, type TintRange, writerColor } from "./tint.ts";
import { speakerOf } from "./transcript.ts";

/** What the ends of a scale mean. */
const ends: Readonly<Record<Exclude<Tint, "writer">, (x: number) => string>> = {
  advantage: (x) => (x < 0 ? "worse" : x > 0 ? "better" : ""),
  "log-probability": (x) => (x < 0 ? "unlikely" : "certain"),
  entropy: (x) => (x > 0 ? "undecided" : "decided"),
  reward: () => "",
};

/** What the colours stand for: a bar from the least to the most of the numbers, or a sample of each writer. */
export function Legend({
  tint,
  range,
  makers,
}: {
  tint: Tint;
  range: TintRange | undefined;
  makers: readonly string[];
}) {
  if (tint === "writer")
    return (
      <span class="scale-legend">
        {makers.map((maker) => (
          <span key={maker} class="writer-key">
            <i style={{ background: writerColor(maker) }} /> {speakerOf(maker)}
          </span>
        ))}
      </span>
    );
  if (!range) return null;
  if (range.low === range.high) return <span class="scale-legend">all 0</span>;
  const said = (x: number) => [short(x), ends[tint](x)].filter(Boolean).join(" ");
  return (
    <span class="scale-legend">
      <span>{said(range.low)}</span>
      <i class="scale-bar" style={{ background: gradientOf(tint, range) }} />
      <span>{said(range.high)}</span>
    </span>
  );
}
