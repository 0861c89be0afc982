/** Called before a function is compiled, with its name; the function that it may return is called afterwards. */
export type CompileListener = (name: string) => (() => void) | undefined;

const listeners = new Set<CompileListener>();

/** Tells a listener whenever a function is about to be compiled, to show that a pause is not a hang. Returns a function that ends it. */
export function onCompile(listener: CompileListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Compiles something while listeners know of it. */
export function announced<T>(name: string, compiles: () => T): T {
  if (listeners.size === 0) return compiles();
  const after = [...listeners].map((listener) => listener(name));
  try {
    return compiles();
  } finally {
    for (const end of after) end?.();
  }
}
