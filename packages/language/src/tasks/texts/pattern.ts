/**
 * An automaton of a small regular expression: from state i letters in `on` lead to `next`, and `free` steps need no
 * letter.
 */
export interface Automaton {
  readonly on: readonly string[];
  readonly next: readonly number[];
  readonly free: readonly (readonly number[])[];
  readonly start: number;
  readonly end: number;
}

/**
 * Builds the automaton of a regular expression of letters, `.`, `[ab]`, `( )`, `|`, `*`, `+` and `?` (Thompson,
 * 1968). Undefined if it is invalid. `.` stands for any letter of `alphabet`.
 */
export function compile(pattern: string, alphabet: string): Automaton | undefined {
  const on: string[] = [];
  const next: number[] = [];
  const free: number[][] = [];
  const state = () => free.push([]) - 1;
  const step = (letters: string): [number, number] => {
    const [a, b] = [state(), state()];
    [on[a], next[a]] = [letters, b];
    return [a, b];
  };
  let i = 0;
  const atom = (): [number, number] | undefined => {
    const c = pattern[i++];
    if (c === ".") return step(alphabet);
    if (c === "[") {
      const close = pattern.indexOf("]", i);
      const letters = pattern.slice(i, close);
      i = close + 1;
      return close > 0 && letters !== "" && [...letters].every((x) => alphabet.includes(x))
        ? step(letters)
        : undefined;
    }
    if (c === "(") {
      const inner = either();
      return pattern[i++] === ")" ? inner : undefined;
    }
    return c !== undefined && alphabet.includes(c) ? step(c) : undefined;
  };
  const repeated = (): [number, number] | undefined => {
    const part = atom();
    if (!part) return undefined;
    const c = pattern[i];
    if (c !== "*" && c !== "+" && c !== "?") return part;
    i++;
    const [a, b] = [state(), state()];
    free[a].push(part[0]);
    free[part[1]].push(b);
    if (c !== "+") free[a].push(b);
    if (c !== "?") free[part[1]].push(part[0]);
    return [a, b];
  };
  const both = (): [number, number] | undefined => {
    const first = state();
    let last = first;
    while (i < pattern.length && pattern[i] !== "|" && pattern[i] !== ")") {
      const part = repeated();
      if (!part) return undefined;
      free[last].push(part[0]);
      last = part[1];
    }
    return [first, last];
  };
  const either = (): [number, number] | undefined => {
    const [a, b] = [state(), state()];
    for (;;) {
      const part = both();
      if (!part) return undefined;
      free[a].push(part[0]);
      free[part[1]].push(b);
      if (pattern[i] !== "|") return [a, b];
      i++;
    }
  };
  const whole = either();
  if (!whole || i < pattern.length) return undefined;
  return { on, next, free, start: whole[0], end: whole[1] };
}

/** Whether the whole text matches. All states are followed at once, so that no pattern is slow. */
export function matches({ on, next, free, start, end }: Automaton, text: string): boolean {
  const closed = (states: number[]): Set<number> => {
    const reached = new Set(states);
    for (const s of reached) for (const t of free[s]) reached.add(t);
    return reached;
  };
  let at = closed([start]);
  for (const c of text) {
    at = closed([...at].filter((s) => on[s]?.includes(c)).map((s) => next[s]));
    if (at.size === 0) return false;
  }
  return at.has(end);
}
