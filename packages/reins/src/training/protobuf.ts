/** Pieces of messages in the form of protocol buffers: a tag, which is a field's number and its kind, then its content. */

/** A field that is a whole number from 0 on; 0 is what readers take where there is none. */
export const number = (field: number, value: number): Uint8Array =>
  value === 0 ? new Uint8Array() : Uint8Array.of(...varint(field * 8), ...varint(value));

/** A field that is a message, or bytes. */
export function message(field: number, content: Uint8Array): Uint8Array {
  const head = [...varint(field * 8 + 2), ...varint(content.length)];
  const out = new Uint8Array(head.length + content.length);
  out.set(head);
  out.set(content, head.length);
  return out;
}

/** A field that is text. */
export const text = (field: number, content: string): Uint8Array =>
  message(field, new TextEncoder().encode(content));

/** Seven bits a byte, the lowest first. Division, because steps may be beyond 32 bits. */
function varint(value: number): number[] {
  const out: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push((rest % 128) + 128);
  return [...out, rest];
}
