import { useEffect, useRef, useState } from "preact/hooks";
import { settingText } from "../../parts/setting-text.ts";
import { short } from "../../words.ts";

/** Time in which a slider is still being moved, in ms: the run is told where it ends up. */
const settling = 300;

/** A setting of a run as a slider: around where it was first seen, by factors where that is what counts. */
export function SettingSlider(props: {
  name: string;
  /** What it means. */
  about?: string;
  /** Null is what JSON has no word for, such as no limit. */
  now: number | null;
  begun: unknown;
  /** Sets it; what is promised is that `now` is what came of it. */
  set(value: number): Promise<void> | void;
}) {
  const { name, about, now, begun, set } = props;
  const [moved, setMoved] = useState<number>();
  const [wrong, setWrong] = useState<string>();
  // What is being typed stays, though the setting itself may move on.
  const [typed, setTyped] = useState<string>();
  // It stays where it is while the setting moves: a slider that is always in the middle says nothing.
  const middle = useRef(typeof begun === "number" ? begun : (now ?? 1));
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { low, high, of, at } = scaleFor(middle.current);
  const value = moved ?? now;
  const send = async (next: number) => {
    setMoved(next);
    await set(next);
    // Who moved it on meanwhile is not taken back.
    setMoved((last) => (last === next ? undefined : last));
  };
  const follows = typeof begun === "object" && begun !== null && "signal" in begun;
  return (
    <label class="slider">
      <span
        title={[
          about ? `${name}: ${about}` : name,
          follows ? `It follows ${settingText(begun)} until it is moved, and not from then on.` : "",
        ].join(" ")}
      >
        {name}
        {follows && <span class="soft"> {settingText(begun)}</span>}
      </span>
      <input
        type="range"
        min={0}
        max={200}
        value={Math.round(200 * at(Math.min(high, Math.max(low, value ?? high))))}
        onInput={(e) => {
          const next = of(Number(e.currentTarget.value) / 200);
          setMoved(next);
          setWrong(undefined);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => send(next), settling);
        }}
      />
      <input
        type="text"
        inputMode="decimal"
        aria-label={`${name} as a number`}
        value={typed ?? (value === null ? "∞" : short(value).replace("−", "-"))}
        onInput={(e) => setTyped(e.currentTarget.value)}
        onChange={(e) => {
          const text = e.currentTarget.value.trim();
          const next = numberIn(text);
          setWrong(next === undefined && text !== "" ? text : undefined);
          setTyped(undefined);
          if (next !== undefined) void send(next);
        }}
        onBlur={() => setTyped(undefined)}
      />
      {wrong !== undefined && (
        <span class="wrong" role="alert">
          {wrong} is not a valid number. Write 0.5 or 3e-4.
        </span>
      )}
    </label>
  );
}

/** The number that a text says; undefined where it says none, or one that is too large. */
export function numberIn(text: string): number | undefined {
  const plain = text.replace("−", "-").trim();
  const x = Number(plain);
  return plain !== "" && Number.isFinite(x) ? x : undefined;
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
