/** C0 and C1 controls but for line breaks and tabs, and characters that change the direction of a line or break it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Text for a terminal: control characters are shown as their codes, `\u001b`, so that no escape sequence of a file, an agent or a dataset
 * takes effect. JSON stays the same JSON.
 */
export const printable = (text: string): string =>
  text.replace(controls, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
