/** A wish to stop, made with Ctrl-C or `kill`. */
export interface Interrupt {
  /** The exit code it asks for; undefined as long as nobody wishes to stop. */
  readonly code: number | undefined;
  /** Listens no more. */
  off(): void;
}

/** Listens for the wish to stop. The second time it is granted at once: something may hang. */
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
