/** Called with a function's name before it is compiled; a returned function is called afterwards. */
export type CompileListener = (name: string) => (() => void) | undefined;

const listeners = new Set<CompileListener>();

/** Calls a listener before each compilation, to show that a pause is not a hang. Returns a function that removes it. */
export function onCompile(listener: CompileListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Runs a compilation between the calls of the listeners. */
export function announced<T>(name: string, compiles: () => T): T {
  if (listeners.size === 0) return compiles();
  const after = [...listeners].map((listener) => listener(name));
  try {
    return compiles();
  } finally {
    for (const end of after) end?.();
  }
}
