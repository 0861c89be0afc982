import { settingText } from "@reins/studio/wire";
import { useEffect, useRef, useState } from "preact/hooks";
import { short } from "../../format.ts";

/** Milliseconds after the last movement of a slider before the value is sent. */
const settling = 300;

/** A setting of a run as a slider around its initial value, on a logarithmic scale where that is suitable. */
export function SettingSlider(props: {
  name: string;
  /** Its description. */
  about?: string;
  /** The current value; null is infinite. */
  now: number | null;
  begun: unknown;
  /** Sets the value; resolves when `now` is up to date. */
  set(value: number): Promise<void> | void;
}) {
  const { name, about, now, begun, set } = props;
  const [moved, setMoved] = useState<number>();
  const [wrong, setWrong] = useState<string>();
  // Text that is being edited, while the setting may change.
  const [typed, setTyped] = useState<string>();
  // The scale is fixed, so that the slider moves with the setting.
  const middle = useRef(typeof begun === "number" ? begun : (now ?? 1));
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { low, high, of, at } = scaleFor(middle.current);
  const value = moved ?? now;
  const send = async (next: number) => {
    setMoved(next);
    await set(next);
    // Keeps a newer value that was set in the meantime.
    setMoved((last) => (last === next ? undefined : last));
  };
  const follows = typeof begun === "object" && begun !== null && "signal" in begun;
  return (
    <label class="slider">
      <span
        title={[
          about ? `${name}: ${about}` : name,
          follows ? `It follows ${settingText(begun)} until you change it.` : "",
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

/** Parses a finite number; undefined if the text is not one. */
export function numberIn(text: string): number | undefined {
  const plain = text.replace("−", "-").trim();
  const x = Number(plain);
  return plain !== "" && Number.isFinite(x) ? x : undefined;
}

/** The scale of a slider for an initial value: 0 to 1 for shares, else from a hundredth to a hundredfold. */
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
