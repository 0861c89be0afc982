import type { Ink } from "./ink.ts";

/** A canvas of Braille characters with 2 × 4 dots, one colour per character. The origin is at the top left. */
export class Braille {
  readonly columns: number;
  readonly lines: number;
  private readonly dots: Uint8Array;
  private readonly colors: Uint8Array;

  constructor(columns: number, lines: number) {
    this.columns = columns;
    this.lines = lines;
    this.dots = new Uint8Array(columns * lines);
    this.colors = new Uint8Array(columns * lines);
  }

  /** Sets a dot; dots outside the canvas are ignored. */
  dot(x: number, y: number, color = 0): void {
    const [px, py] = [Math.round(x), Math.round(y)];
    if (!(px >= 0 && py >= 0 && px < this.columns * 2 && py < this.lines * 4)) return;
    // The first six dots are numbered down the two columns; the lowest pair came later.
    const bit = py % 4 === 3 ? 6 + (px % 2) : (px % 2) * 3 + (py % 4);
    const at = (py >> 2) * this.columns + (px >> 1);
    this.dots[at] |= 1 << bit;
    this.colors[at] = color;
  }

  /** Draws a straight line. */
  line(x0: number, y0: number, x1: number, y1: number, color = 0): void {
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0))));
    for (let i = 0; i <= steps; i++)
      this.dot(x0 + ((x1 - x0) * i) / steps, y0 + ((y1 - y0) * i) / steps, color);
  }

  /** The lines of text; neighbours of one colour share an escape code. */
  toLines(ink: Ink): string[] {
    return Array.from({ length: this.lines }, (_, line) => {
      let out = "";
      let run = "";
      let color = 0;
      const flush = () => {
        if (run) out += run.trim() ? ink.color(color, run) : run;
        run = "";
      };
      for (let i = line * this.columns; i < (line + 1) * this.columns; i++) {
        if (this.dots[i] && this.colors[i] !== color) {
          flush();
          color = this.colors[i];
        }
        run += this.dots[i] ? String.fromCharCode(0x2800 + this.dots[i]) : " ";
      }
      flush();
      return out;
    });
  }
}
