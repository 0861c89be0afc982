import { cleaned } from "./clean.ts";
import type { Output } from "./io.ts";

/** A region of the terminal that is redrawn. */
export interface Screen {
  draw(lines: readonly string[]): void;
  /** Restores the cursor; the last drawing stays. */
  close(): void;
}

const hide = "\x1b[?25l";
const show = "\x1b[?25h";
const wrap = { off: "\x1b[?7l", on: "\x1b[?7h" };

/** Opens a screen that redraws in place and restores the terminal however the process ends. */
export function openScreen(
  out: Pick<Output, "write" | "on" | "off" | "rows">,
  options: {
    readonly host?: Pick<NodeJS.Process, "once" | "off" | "exit">;
    /** False if the caller handles signals itself. */
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
  // Exit codes are 128 plus the number of the signal.
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
  // Long lines are cut off: wrapped lines would move everything below.
  out.write(`${hide}${wrap.off}`);

  return {
    draw(all) {
      if (!open) return;
      // More lines than the terminal has would scroll.
      const lines = out.rows ? all.slice(0, out.rows - 1) : all;
      const back = resized ? "\x1b[2J\x1b[H" : drawn > 0 ? `\x1b[${drawn}A\r` : "";
      resized = false;
      drawn = lines.length;
      // One write, with every line cleared to its end, to avoid flicker.
      out.write(back + lines.map((line) => `${cleaned(line, true)}\x1b[K\n`).join(""));
    },
    close,
  };
}
