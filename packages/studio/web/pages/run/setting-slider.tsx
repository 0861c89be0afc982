import { useState } from "preact/hooks";
import { short } from "../../words.ts";

/** A setting of a run as a slider: around where it is, by factors where that is what counts. */
export function SettingSlider(props: {
  name: string;
  /** What it means. */
  about?: string;
  now: number;
  begun: unknown;
  set(value: number): void;
}) {
  const { name, about, now, begun, set } = props;
  const [moved, setMoved] = useState<number>();
  // What is being typed stays, though the setting itself may move on.
  const [typed, setTyped] = useState<string>();
  const { low, high, of, at } = scaleFor(typeof begun === "number" ? begun : now);
  const value = moved ?? now;
  return (
    <label class="slider">
      <span title={about ? `${name}: ${about}` : name}>{name}</span>
      <input
        type="range"
        min={0}
        max={1000}
        value={Math.round(1000 * at(Math.min(high, Math.max(low, value))))}
        onInput={(e) => setMoved(of(Number(e.currentTarget.value) / 1000))}
        onChange={(e) => {
          set(of(Number(e.currentTarget.value) / 1000));
          setMoved(undefined);
        }}
      />
      <input
        type="number"
        aria-label={`${name} as a number`}
        step="any"
        value={typed ?? short(value).replace("−", "-")}
        onInput={(e) => setTyped(e.currentTarget.value)}
        onChange={(e) => {
          const number = Number(e.currentTarget.value);
          if (e.currentTarget.value !== "" && Number.isFinite(number)) set(number);
          setTyped(undefined);
        }}
        onBlur={() => setTyped(undefined)}
      />
    </label>
  );
}

/** Where a slider goes for a setting that began with a number: shares from 0 to 1, others over two magnitudes. */
export function scaleFor(begun: number): {
  low: number;
  high: number;
  of(share: number): number;
  at(value: number): number;
} {
  if (begun <= 0 || (begun >= 0.5 && begun <= 1)) {
    const [low, high] = begun < 0 ? [begun * 2, 0] : [0, 1];
    return { low, high, of: (s) => digits(low + s * (high - low)), at: (v) => (v - low) / (high - low) };
  }
  const [low, high] = [begun / 100, begun * 100];
  return {
    ...{ low, high },
    of: (s) => digits(low * (high / low) ** s),
    at: (v) => Math.log(v / low) / Math.log(high / low),
  };
}

const digits = (x: number): number => Number(x.toPrecision(3));
