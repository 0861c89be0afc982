import type { Kernel, Operand } from "../kernel/kernel.ts";
import type { Lowered } from "./lowered.ts";

/** Which kernel a step calls, and with what. */
export interface Chosen {
  readonly kernel: number;
  readonly extent: number;
  readonly length?: number;
}

/**
 * The kernels of a program, each once. Where several differ in their length alone, such as an optimiser's update of tensors of many
 * sizes, one that is told its length takes the place of all. A kernel that stands alone keeps its length: known, it needs less code.
 */
export class Kernels {
  private readonly numbers = new Map<string, number>();
  private readonly kernels: Kernel[] = [];
  /** By each kernel that is told its length: those whose place it could take. */
  private readonly alike = new Map<string, Set<string>>();
  /** By each kernel that knows its length: the one that is told, made once. */
  private readonly opened = new Map<string, { readonly code: string; readonly lowered: Lowered }>();

  /** Notes a call. Which kernel it gets is known when all calls have been noted. */
  add(l: Lowered): () => Chosen {
    const own = codeOf(l.kernel);
    const open = l.open && this.openedFrom(own, l.open);
    if (!open) return () => this.chosen(own, l);
    const alike = this.alike.get(open.code) ?? new Set();
    this.alike.set(open.code, alike.add(own));
    return () => (alike.size > 1 ? this.chosen(open.code, open.lowered) : this.chosen(own, l));
  }

  private openedFrom(own: string, open: () => Lowered) {
    let known = this.opened.get(own);
    if (!known) {
      const lowered = open();
      this.opened.set(own, (known = { code: codeOf(lowered.kernel), lowered }));
    }
    return known;
  }

  /** Those that were chosen. */
  list(): readonly Kernel[] {
    return this.kernels;
  }

  private chosen(code: string, { kernel, extent, length }: Lowered): Chosen {
    let number = this.numbers.get(code);
    if (number === undefined) {
      number = this.kernels.push(kernel) - 1;
      this.numbers.set(code, number);
    }
    return { kernel: number, extent, ...(length === undefined ? {} : { length }) };
  }
}

/** What a kernel does, as text. Its label may differ. */
function codeOf({ label: _, ...code }: Kernel): string {
  return JSON.stringify(code) + unusual(code.body);
}

/** JSON has no infinities, NaN or -0, which are different constants: those of a kernel, in order. */
function unusual(list: Kernel["body"]): string {
  let text = "";
  const note = (x: Operand | undefined) => {
    if (x && "constant" in x && (!Number.isFinite(x.constant) || Object.is(x.constant, -0)))
      text += `${x.type}${Object.is(x.constant, -0) ? "-0" : x.constant},`;
  };
  for (const s of list) {
    if (s.kind === "let") s.args.forEach(note);
    else if (s.kind === "store" || s.kind === "assign") note(s.value);
    else if (s.kind === "declare") note(s.init);
    else if (s.kind === "for") text += unusual(s.body);
    else if (s.kind === "if") text += unusual(s.then) + unusual(s.else ?? []);
    else if (s.kind === "while") text += unusual(s.test) + unusual(s.body);
  }
  return text;
}
