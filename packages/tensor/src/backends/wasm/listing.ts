import type { Program, Step } from "../../kernel/program.ts";

/** A program's steps as readable text, one line each. */
export function listing(program: Program, moduleBytes: number): string {
  const lines = [
    `WebAssembly module of ${moduleBytes} bytes, ${program.kernels.length} kernels, up to ${program.threads} threads`,
  ];
  const write = (steps: readonly Step[], indent: string) => {
    for (const step of steps) {
      const wait = step.barrier ? "| " : "  ";
      if (step.kind === "call")
        lines.push(`${wait}${indent}${program.kernels[step.kernel].label} × ${step.extent}`);
      else if (step.kind === "gemm") {
        const batch = step.batch.map((d) => `${d.extent}×`).join("");
        lines.push(
          `${wait}${indent}product ${batch}(${step.m}×${step.n}×${step.k})${step.bias ? " + bias" : ""}`,
        );
      } else if (step.kind === "copy") lines.push(`${wait}${indent}copy ${step.bytes} bytes`);
      else if (step.kind === "loop") {
        lines.push(
          `${wait}${indent}loop ${typeof step.count === "number" ? step.count : `up to ${step.most}`}`,
        );
        write(step.body, `${indent}  `);
      }
    }
  };
  write(program.steps, "");
  return lines.join("\n");
}
