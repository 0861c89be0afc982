/** A request to stop, by Ctrl-C or `kill`. */
export interface Interrupt {
  /** Exit code of the signal; undefined until one arrives. */
  readonly code: number | undefined;
  /** Removes the listeners. */
  off(): void;
}

/** Listens for signals. A second signal ends the process at once, in case it hangs. */
export function listenForInterrupt(host: Pick<NodeJS.Process, "on" | "off" | "exit"> = process): Interrupt {
  let code: number | undefined;
  const ends = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  const listeners = Object.entries(ends).map(([signal, exit]) => {
    const listener = () => {
      if (code !== undefined) host.exit(exit);
      code = exit;
    };
    host.on(signal as keyof typeof ends, listener);
    return [signal as keyof typeof ends, listener] as const;
  });
  return {
    get code() {
      return code;
    },
    off() {
      for (const [signal, listener] of listeners) host.off(signal, listener);
    },
  };
}
