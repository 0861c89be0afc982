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

/** The meaning of the colours: a bar from the lowest to the highest number, or a sample for each author. */
export function Legend({
  tint,
  range,
  makers,
  isOfBatch,
}: {
  tint: Tint;
  range: TintRange | undefined;
  makers: readonly string[];
  /** Whether the scale of advantages is that of the whole batch. */
  isOfBatch: boolean;
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
  const isCentred = range.low === -range.high;
  const said = (x: number) => [short(x), ends[tint](x)].filter(Boolean).join(" ");
  return (
    <span class="scale-legend">
      <span>{said(range.low)}</span>
      <i class="scale-bar" style={{ background: gradientOf(tint, range) }}>
        {isCentred && <span>0</span>}
      </i>
      <span>{said(range.high)}</span>
      {tint === "advantage" && isOfBatch && <span class="soft">largest of the batch</span>}
    </span>
  );
}
