import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { openScreen } from "./screen.ts";

/** A fake terminal and a fake process. */
function terminal() {
  let text = "";
  const write = (s: string) => {
    text += s;
    return true;
  };
  const out = Object.assign(new EventEmitter(), { write });
  const codes: number[] = [];
  const host = Object.assign(new EventEmitter(), { exit: (code: number) => codes.push(code) });
  const take = () => {
    const t = text;
    text = "";
    return t;
  };
  return { screen: openScreen(out as never, { host: host as never }), out, host, codes, take };
}

describe("screen", () => {
  it("redraws in place", () => {
    const { screen, take } = terminal();
    expect(take()).toContain("\x1b[?25l");
    screen.draw(["a", "b"]);
    expect(take()).toBe("a\x1b[K\nb\x1b[K\n");
    screen.draw(["c", "d"]);
    expect(take()).toBe("\x1b[2A\rc\x1b[K\nd\x1b[K\n");
    screen.close();
    expect(take()).toContain("\x1b[?25h");
  });

  it("clears the screen when the window is resized", () => {
    const { screen, out, take } = terminal();
    screen.draw(["a"]);
    out.emit("resize");
    take();
    screen.draw(["b"]);
    expect(take()).toBe("\x1b[2J\x1b[Hb\x1b[K\n");
  });

  it("restores the cursor on Ctrl-C and removes its listeners", () => {
    const { screen, host, out, codes, take } = terminal();
    host.emit("SIGINT");
    expect(take()).toContain("\x1b[?25h");
    expect(codes).toEqual([130]);
    expect([...host.eventNames(), ...out.eventNames()]).toEqual([]);
    screen.draw(["late"]);
    expect(take()).not.toContain("late");
  });
});
