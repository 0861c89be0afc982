import { round64 } from "../../heap-guard.ts";
import { contextHeader, type GemmStep, type Place, type Program, type Step } from "../../kernel/program.ts";
import { emitKernel, kernelHead } from "./emit.ts";
import { gemmFields } from "./gemm.ts";
import { prelude } from "./prelude.ts";
import { runtimeTable } from "./runtime.ts";
import { sanitized } from "./sanitize.ts";

/** Minimum text per compiler: below it, starting a second one takes longer than it saves. */
const leastText = 40_000;

/**
 * A whole program in C: its kernels, then `steps(…, thread, threads)`, which every thread runs, and the entry that the host
 * calls. Matrix products and threads come from the runtime library, through the table passed to `reins_init`.
 * A large program is several texts, at most `parts`, which are compiled in parallel and linked together.
 */
export function emitProgram(program: Program, parts = 1): string[] {
  const kernels = program.kernels.map((k, i) => {
    const text = emitKernel(k, `k${i}`);
    // Reports then name the kernel's operations instead of the compiler's input.
    return sanitized() ? `#line 1 ${JSON.stringify(k.label)}\n${text}` : text;
  });
  const total = kernels.reduce((sum, text) => sum + text.length, 0);
  const count = Math.max(1, Math.min(parts, Math.floor(total / leastText)));
  const texts: string[][] = [[]];
  let length = 0;
  for (const text of kernels) {
    if (length >= (total / count) * texts.length) texts.push([]);
    texts[texts.length - 1].push(text);
    length += text.length;
  }
  const [first, ...others] = texts.map((t) => t.join("\n"));
  return [`${prelude}\n${first}\n${emitSteps(program)}`, ...others.map((t) => `${prelude}\n${t}\n`)];
}

function emitSteps(program: Program): string {
  const gemms: string[] = [];
  const out: string[] = [];
  const scratch = round64(program.scratchBytes);

  const address = (place: Place): string => {
    const parts = [place.scratch ? "S" : `B${place.buffer}`];
    if (place.offset) parts.push(`${place.offset}L`);
    for (const { loop, stride } of place.advance ?? []) if (stride) parts.push(`l${loop} * ${stride}L`);
    return parts.join(" + ");
  };

  const gemm = (s: GemmStep) => {
    const at = gemms.length;
    gemms.push(`static const long g${at}[] = { ${gemmFields(s).join(", ")} };`);
    const args = [s.a, s.b, s.c].map((p) => `(f32 *)(${address(p)})`);
    args.push(s.bias ? `(f32 *)(${address(s.bias)})` : "0");
    out.push(`rt->gemm(g${at}, ${args.join(", ")}, t, T);`);
  };

  const step = (s: Step): void => {
    if (s.barrier) out.push("if (T > 1) rt->barrier(T);");
    switch (s.kind) {
      case "call": {
        const kernel = program.kernels[s.kernel];
        const args = s.args.map((p) => `(void *)(${address(p)}), `).join("");
        if (kernel.params.length !== s.args.length) {
          throw new Error(
            `Kernel ${s.kernel} ("${kernel.label}") takes ${kernel.params.length} pointers; a step passes ${s.args.length}.`,
          );
        }
        out.push(
          `k${s.kernel}(${args}${s.extent}L * t / T, ${s.extent}L * (t + 1) / T${s.length === undefined ? "" : `, ${s.length}`});`,
        );
        return;
      }
      case "gemm":
        gemm(s);
        return;
      case "attend":
        throw new Error("internal: a step of devices in a program of the host.");
      case "copy":
        out.push(`copy(${address(s.to)}, ${address(s.from)}, ${s.bytes}L, t, T);`);
        return;
      case "loop": {
        const n = `n${s.loop}`;
        if (typeof s.count === "number") out.push(`{ const long ${n} = ${Math.min(s.count, s.most)};`);
        else out.push(`{ long ${n} = *(i32 *)(${address(s.count)}); if (${n} > ${s.most}) ${n} = ${s.most};`);
        out.push(`for (long l${s.loop} = 0; l${s.loop} < ${n}; l${s.loop}++) {`);
        s.body.forEach(step);
        out.push("} }");
        return;
      }
    }
  };
  program.steps.forEach(step);

  const buffers = program.buffers.map(
    (_, i) => `char *B${i} = (char *)X[${i + contextHeader}]; (void)B${i};`,
  );
  return [
    runtimeTable,
    "static const struct runtime *rt;",
    ...program.kernels.map((k, i) => `${kernelHead(k, `k${i}`)};`),
    copy,
    ...gemms,
    "static void steps(const u64 *X, const long t, const long T) {",
    ...buffers,
    `char *S = (char *)X[0] + t * ${scratch}L; (void)S;`,
    ...out,
    "}",
    entry,
  ].join("\n");
}

/** Each thread copies whole cache lines. */
const copy = `\
static inline void copy(char *to, const char *from, const long bytes, const long t, const long T) {
  const long lines = (bytes + 63) / 64, begin = lines * t / T * 64, end = t + 1 == T ? bytes : lines * (t + 1) / T * 64;
  if (end > begin) __builtin_memmove(to + begin, from + begin, end - begin);
}`;

const entry = `\
#define EXPORT __attribute__((visibility("default")))
EXPORT void reins_init(const struct runtime *table) { rt = table; }
EXPORT void reins_run(const u64 *X, long threads) {
  if (threads <= 1) steps(X, 0, 1);
  else rt->run(steps, X, threads);
}
`;
