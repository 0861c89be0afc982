import { cleaned } from "./clean.ts";
import type { Output } from "./io.ts";

/** A place in the terminal that is drawn again and again. */
export interface Screen {
  draw(lines: readonly string[]): void;
  /** Gives the cursor back; what was drawn last stays. */
  close(): void;
}

const hide = "\x1b[?25l";
const show = "\x1b[?25h";
const wrap = { off: "\x1b[?7l", on: "\x1b[?7h" };

/** Draws over what was drawn before, and leaves the terminal as it was however the process ends. */
export function openScreen(
  out: Pick<Output, "write" | "on" | "off" | "rows">,
  options: {
    readonly host?: Pick<NodeJS.Process, "once" | "off" | "exit">;
    /** False where the caller itself ends the process when it is told to stop. */
    readonly signals?: boolean;
  } = {},
): Screen {
  const { host = process, signals = true } = options;
  let drawn = 0;
  let open = true;
  let resized = false;
  const onResize = () => {
    resized = true;
  };
  const close = () => {
    if (!open) return;
    open = false;
    out.write(`${wrap.on}${show}`);
    out.off?.("resize", onResize);
    host.off("exit", close);
    for (const [signal, stop] of stops) host.off(signal, stop);
  };
  // A process that a signal ends has 128 and the signal's number as its code.
  const ends = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const;
  const stops = (signals ? ends : []).map(([signal, code]) => {
    const stop = () => {
      close();
      out.write("\n");
      host.exit(code);
    };
    host.once(signal, stop);
    return [signal, stop] as const;
  });
  host.once("exit", close);
  out.on?.("resize", onResize);
  // Lines that no longer fit are cut off rather than wrapped, which would move everything below.
  out.write(`${hide}${wrap.off}`);

  return {
    draw(all) {
      if (!open) return;
      // What does not fit would scroll away and leave the rest behind.
      const lines = out.rows ? all.slice(0, out.rows - 1) : all;
      const back = resized ? "\x1b[2J\x1b[H" : drawn > 0 ? `\x1b[${drawn}A\r` : "";
      resized = false;
      drawn = lines.length;
      // In one piece, and every line cleared to its end, so that nothing flickers.
      out.write(back + lines.map((line) => `${cleaned(line, true)}\x1b[K\n`).join(""));
    },
    close,
  };
}
