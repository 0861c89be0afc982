import { short } from "../format.ts";
import { gradientOf, type Tint, type TintRange, writerColor } from "./tint.ts";
import { speakerOf } from "./transcript.ts";

/** Labels of the ends of a scale. */
const ends: Readonly<Record<Exclude<Tint, "writer">, (x: number) => string>> = {
  advantage: (x) => (x < 0 ? "worse" : x > 0 ? "better" : ""),
  "log-probability": (x) => (x < 0 ? "unlikely" : "certain"),
  entropy: (x) => (x > 0 ? "uncertain" : "certain"),
  reward: () => "",
};

/** The legend of the colours: a colour bar, or a sample for each author. */
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
      {tint === "advantage" && isOfBatch && <span class="soft">scaled to the largest of the batch</span>}
    </span>
  );
}
