const [quote, backslash] = [0x22, 0x5c];
const opening = [0x5b, 0x7b];
const closing = [0x5d, 0x7d];

/**
 * Whether JSON is nested more deeply than `most` levels. JSON.parse reads any depth, but everything that then walks the
 * value is recursive and would overflow the stack, so the text is looked at before it is parsed.
 */
export function nestedDeeper(text: string, most: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === quote) i = endOfString(text, i);
    else if (opening.includes(c)) {
      if (++depth > most) return true;
    } else if (closing.includes(c)) depth--;
  }
  return false;
}

/** The position of the quote that ends a string, or the end of a text that lacks it. */
export function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === quote) return i;
    if (c === backslash) i++;
  }
  return text.length;
}
