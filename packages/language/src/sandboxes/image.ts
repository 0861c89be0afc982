/**
 * Takes an image of memory and returns a function that restores it. An instance with restored memory and stack
 * pointer behaves as it did after the image was taken.
 *
 * Threads start from the source text of this function, so it uses only its parameters.
 */
export function imageOf(memory: WebAssembly.Memory): () => void {
  const words = new Int32Array(memory.buffer);
  // In order: data, the stack, the heap. The stack is megabytes of zeros, the longest run, and its later contents are
  // never read; restoring it would take longer than most programs run.
  let [from, to, end] = [0, 0, 0];
  for (let i = 0; i < words.length; i++) {
    if (words[i] === 0) continue;
    if (i - end > to - from) [from, to] = [end, i];
    end = i + 1;
  }
  const [data, heap] = [words.slice(0, from), words.slice(to, end)];
  return () => {
    const now = new Int32Array(memory.buffer);
    now.set(data);
    now.set(heap, to);
  };
}
