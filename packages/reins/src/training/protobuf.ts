/** Protocol buffers: a field is a tag (number and wire type) and its content. */

/** A varint field; 0 is omitted, since it is the default. */
export const number = (field: number, value: number): Uint8Array =>
  value === 0 ? new Uint8Array() : Uint8Array.of(...varint(field * 8), ...varint(value));

/** A message or bytes field. */
export function message(field: number, content: Uint8Array): Uint8Array {
  const head = [...varint(field * 8 + 2), ...varint(content.length)];
  const out = new Uint8Array(head.length + content.length);
  out.set(head);
  out.set(content, head.length);
  return out;
}

/** A string field. */
export const text = (field: number, content: string): Uint8Array =>
  message(field, new TextEncoder().encode(content));

/** Seven bits per byte, lowest first. Uses division, because steps may exceed 32 bits. */
function varint(value: number): number[] {
  const out: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push((rest % 128) + 128);
  return [...out, rest];
}
