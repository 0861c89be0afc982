/**
 * A text rendering. Each character is a braille cell of 2 × 4 dots, so lines and curves are smooth in a terminal;
 * letters may be written over it. Dots are counted from the top left.
 */
export class Canvas {
  readonly width: number;
  readonly height: number;
  private readonly dots: Uint8Array;
  private readonly letters = new Map<number, string>();

  /** `columns` × `lines` characters, which are twice as many dots across and four times as many down. */
  constructor(columns: number, lines: number) {
    this.width = columns;
    this.height = lines;
    this.dots = new Uint8Array(columns * lines);
  }

  /** Sets a dot; dots outside the canvas are ignored. */
  dot(x: number, y: number): void {
    const px = Math.round(x);
    const py = Math.round(y);
    if (px < 0 || py < 0 || px >= this.width * 2 || py >= this.height * 4) return;
    // Unicode numbers the dots 1-3 and 4-6 down the two columns and added the lowest pair, 7 and 8, later.
    const bit = py % 4 === 3 ? 6 + (px % 2) : (px % 2) * 3 + (py % 4);
    this.dots[(py >> 2) * this.width + (px >> 1)] |= 1 << bit;
  }

  /** A straight line. */
  line(x0: number, y0: number, x1: number, y1: number): void {
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0))));
    for (let i = 0; i <= steps; i++) this.dot(x0 + ((x1 - x0) * i) / steps, y0 + ((y1 - y0) * i) / steps);
  }

  /** A filled rectangle. */
  box(x0: number, y0: number, x1: number, y1: number): void {
    for (let y = Math.round(y0); y <= y1; y++) this.line(x0, y, x1, y);
  }

  /** A filled disc. */
  disc(x: number, y: number, radius: number): void {
    for (let dy = -radius; dy <= radius; dy++) {
      const half = Math.sqrt(Math.max(0, radius * radius - dy * dy));
      this.line(x - half, y + dy, x + half, y + dy);
    }
  }

  /** Letters over the drawing, from the character that holds the dot. */
  text(x: number, y: number, letters: string): void {
    const at = (Math.round(y) >> 2) * this.width + (Math.round(x) >> 1);
    [...letters].forEach((letter, i) => this.letters.set(at + i, letter));
  }

  /** The lines, without spaces at their ends. */
  toString(): string {
    const lines: string[] = [];
    for (let line = 0; line < this.height; line++) {
      let text = "";
      for (let i = line * this.width; i < (line + 1) * this.width; i++)
        text += this.letters.get(i) ?? (this.dots[i] ? String.fromCharCode(0x2800 + this.dots[i]) : " ");
      lines.push(text.trimEnd());
    }
    return lines.join("\n");
  }
}
