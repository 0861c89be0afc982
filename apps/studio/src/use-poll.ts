import { useEffect, useRef, useState } from "preact/hooks";

/** A value that is polled. */
export interface Polled<T> {
  readonly value: T | undefined;
  readonly error: Error | undefined;
  /** Polls now. */
  again(): void;
  /** Sets a newer value, and polls now. Pending requests are ignored, since their answers are older. */
  take(value: T): void;
}

/**
 * Polls a value while the page is visible. A change of `key` discards the last value. `every` is the interval in ms; it may depend on the
 * value, and 0 stops polling.
 */
export function usePoll<T>(
  ask: () => Promise<T>,
  key: string,
  every: number | ((value: T | undefined) => number),
): Polled<T> {
  const [state, setState] = useState<{ key: string; value?: T; error?: Error }>({ key });
  const latest = useRef({ ask, every });
  latest.current = { ask, every };
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (value: T | undefined) => {
      const { every } = latest.current;
      const ms = typeof every === "function" ? every(value) : every;
      if (!over && ms > 0) timer = setTimeout(round, ms);
    };
    const round = async () => {
      if (document.hidden) return wait(undefined);
      try {
        const value = await latest.current.ask();
        if (over) return;
        setState({ key, value });
        wait(value);
      } catch (error) {
        if (over) return;
        setState((before) => ({ ...(before.key === key ? before : { key }), error: error as Error }));
        wait(undefined);
      }
    };
    void round();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [key, turn]);
  const own = state.key === key ? state : undefined;
  const again = () => setTurn((n) => n + 1);
  const take = (value: T) => {
    setState({ key, value });
    again();
  };
  return { value: own?.value, error: own?.error, again, take };
}
