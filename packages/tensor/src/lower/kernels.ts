import type { Kernel, Operand } from "../kernel/kernel.ts";
import type { Lowered } from "./lowered-kernel.ts";

/** The kernel that a step calls, and its length. */
export interface Chosen {
  readonly kernel: number;
  readonly extent: number;
  readonly length?: number;
}

/**
 * The kernels of a program without duplicates. If several differ only in their length, such as an optimiser's update of tensors of
 * many sizes, one with a length parameter replaces all. A single kernel keeps its constant length, which needs less code.
 */
export class Kernels {
  private readonly numbers = new Map<string, number>();
  private readonly kernels: Kernel[] = [];
  /** By each kernel with a length parameter: those that it can replace. */
  private readonly alike = new Map<string, Set<string>>();
  /** By each kernel with a constant length: the version with a parameter, made once. */
  private readonly opened = new Map<string, { readonly code: string; readonly lowered: Lowered }>();

  /** Records a call. Its kernel is chosen after all calls have been recorded. */
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

/** The code of a kernel as text, without its label. */
function codeOf({ label: _, ...code }: Kernel): string {
  return JSON.stringify(code) + unusual(code.body);
}

/** Constants that JSON cannot represent (infinities, NaN, -0) in order. */
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
