import { refuse } from "../../environment.ts";
import { BuildError, start } from "./start.ts";
import { findToolchain } from "./toolchain.ts";

/**
 * A debugging tool: with REINS_SANITIZE=address, generated code and the runtime library are built with gcc's address and
 * undefined-behaviour sanitisers, which end the process with a report at the first fault. The sanitiser's library must be loaded
 * before Node: use `npm run sanitize -- script.js …`.
 */
export const sanitized = (): boolean => process.env.REINS_SANITIZE === "address";

/** Flags, with those of the sanitisers if enabled. They are part of a library's key. */
export function withSanitizer(flags: readonly string[]): readonly string[] {
  return sanitized() ? [...flags, ...sanitizerFlags] : flags;
}

const sanitizerFlags = [
  "-fsanitize=address,undefined,float-cast-overflow",
  // Checks that the address sanitiser already makes, and that take half of the compiler's time.
  "-fno-sanitize=null,alignment,pointer-overflow,object-size",
  "-fno-sanitize-recover=all",
  "-fno-omit-frame-pointer",
  "-g1",
  "-DREINS_SANITIZED",
];

/** The environment of a process that runs sanitised code. Leaks are not checked: Node frees much only at exit. */
export function sanitizedEnvironment(): Record<string, string> {
  const { command, args, version } = findToolchain();
  const library = start(command, [...args, "-print-file-name=libasan.so"], { seconds: 20 }).trim();
  // gcc prints the bare name of a library that it does not have.
  if (/clang/i.test(version) || !library.startsWith("/"))
    throw new BuildError(`REINS_SANITIZE=address needs gcc and its libasan; ${command} has none.`);
  return {
    REINS_SANITIZE: "address",
    LD_PRELOAD: library,
    // Without the fast unwinder, stacks that begin in Node are not shown.
    ASAN_OPTIONS: "detect_leaks=0:detect_odr_violation=0:fast_unwind_on_fatal=1",
    UBSAN_OPTIONS: "print_stacktrace=1:fast_unwind_on_fatal=1",
  };
}

/** Sanitised libraries end a process that did not start with the sanitiser, so this is checked first. */
export function checkSanitizer(): void {
  const { REINS_SANITIZE: requested, LD_PRELOAD: preloaded = "" } = process.env;
  if (requested && requested !== "address")
    refuse("REINS_SANITIZE", requested, 'use "address", the only supported sanitiser.');
  if (requested && !preloaded.includes("libasan"))
    throw new BuildError(
      "REINS_SANITIZE=address needs the sanitiser's library before Node: start with npm run sanitize -- script.js.",
    );
}

/** Marks parts of the heap that sanitised code must not touch. Offsets and sizes in bytes; to the byte at the end, 8 at the start. */
export interface Guard {
  poison(offset: number, bytes: number): void;
  unpoison(offset: number, bytes: number): void;
}

/** The runtime library's part of the sanitiser, as C. */
export const guardFunctions = `\
#if defined(REINS_SANITIZED)
void __asan_poison_memory_region(const volatile void *, size_t);
void __asan_unpoison_memory_region(const volatile void *, size_t);
EXPORT void reins_poison(char *heap, u64 offset, u64 bytes) { __asan_poison_memory_region(heap + offset, bytes); }
EXPORT void reins_unpoison(char *heap, u64 offset, u64 bytes) { __asan_unpoison_memory_region(heap + offset, bytes); }
#endif
`;
