/**
 * Takes an image of memory; returns what puts it back. An instance whose memory and stack pointer are put back does next what it did after
 * the image was taken, whatever happened since.
 *
 * Threads start from the text of this function, so it uses nothing but what it is given.
 */
export function imageOf(memory: WebAssembly.Memory): () => void {
  const words = new Int32Array(memory.buffer);
  // In order: data, the stack, the heap. The stack is megabytes of zeros now, the longest ones, and what is left in it later is never
  // read; putting it back would take longer than most programs run.
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
