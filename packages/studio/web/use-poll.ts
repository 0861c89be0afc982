import { useEffect, useRef, useState } from "preact/hooks";

/** Something that is asked for again and again. */
export interface Polled<T> {
  readonly value: T | undefined;
  readonly error: Error | undefined;
  /** Asks now. */
  again(): void;
  /** Takes what was learned otherwise for the answer, and asks now: who was asked before knew less. */
  take(value: T): void;
}

/**
 * Asks for something now and then, while the page can be seen. `key` says what is asked for: where it changes, what was known is
 * forgotten. `every` may depend on the answer; 0 asks no more.
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
