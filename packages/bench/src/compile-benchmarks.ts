/** Seconds from the call of the GPT step to its first result. */
export interface CompileBenchmark {
  readonly name: string;
  readonly work: string;
  readonly backend: "native" | "wasm";
  /** Whether an earlier process has filled the cache. */
  readonly warm: boolean;
  /** Maximum number of seconds. */
  readonly limit: number;
}

export const compileBenchmarks: readonly CompileBenchmark[] = [
  {
    name: "compile-gpt-native-cold",
    work: "first GPT step, empty cache",
    backend: "native",
    warm: false,
    limit: 3,
  },
  {
    name: "compile-gpt-native-warm",
    work: "first GPT step, full cache",
    backend: "native",
    warm: true,
    limit: 0.3,
  },
  {
    name: "compile-gpt-wasm-cold",
    work: "first GPT step, empty cache",
    backend: "wasm",
    warm: false,
    limit: 1,
  },
  {
    name: "compile-gpt-wasm-warm",
    work: "first GPT step, full cache",
    backend: "wasm",
    warm: true,
    limit: 1,
  },
];
