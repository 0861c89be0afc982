import type { Kernel } from "../../kernel/kernel.ts";
import { emitKernel, type Layout } from "./emit.ts";
import { gemmText } from "./gemm.ts";
import { copyText, lengthText } from "./library.ts";

/** Code that dispatches use: its text depends only on which of its buffers lie in equal regions. */
export interface Code {
  readonly label: string;
  /** Whether it writes the table of addresses. */
  readonly writesTable: boolean;
  /** `slots` are the bindings of `Dispatch.buffers`, in that order. */
  text(slots: readonly number[]): string;
}

export function kernelCode(kernel: Kernel, layout: Layout): Code {
  const texts = new Map<string, string>();
  return {
    label: kernel.label,
    writesTable: false,
    text(slots) {
      const key = slots.join();
      let text = texts.get(key);
      if (text === undefined) texts.set(key, (text = emitKernel(kernel, layout, slots)));
      return text;
    },
  };
}

const gemmCodes = new Map<number | "lanes", Code>();

export function gemmCode(variant: number | "lanes"): Code {
  let code = gemmCodes.get(variant);
  if (!code)
    gemmCodes.set(
      variant,
      (code = {
        label: `matmul (${variant})`,
        writesTable: false,
        text: (slots) => gemmText(variant, slots),
      }),
    );
  return code;
}

export const copyCode: Code = { label: "copy", writesTable: false, text: copyText };
export const lengthCode: Code = { label: "length of a loop", writesTable: true, text: lengthText };
