/** A text of at most so many letters. */
export const clip = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/** A text in lines of at most so many letters, broken between words; what does not fit into the last is cut off. */
export function wrapped(text: string, letters: number, most: number): string[] {
  if (text === "") return [];
  if (text.length <= letters || most === 1) return [clip(text, letters)];
  const at = text.lastIndexOf(" ", letters);
  const end = at > 0 ? at : letters;
  return [text.slice(0, end), ...wrapped(text.slice(end).trim(), letters, most - 1)];
}

/** Numbers in a text with the sign that they have elsewhere. */
export const signed = (text: string): string => text.replace(/-(?=\d)/g, "−");
