/** A text cut to `most` characters. */
export const clip = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/** Wraps a text between words; what does not fit into the last line is cut. */
export function wrapped(text: string, letters: number, most: number): string[] {
  if (text === "") return [];
  if (text.length <= letters || most === 1) return [clip(text, letters)];
  const at = text.lastIndexOf(" ", letters);
  const end = at > 0 ? at : letters;
  return [text.slice(0, end), ...wrapped(text.slice(end).trim(), letters, most - 1)];
}

/** Replaces hyphens before numbers by minus signs. */
export const signed = (text: string): string => text.replace(/-(?=\d)/g, "−");
