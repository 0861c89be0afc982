/** C0 and C1 controls except line breaks and tabs, and characters that change the direction of a line or break it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Text that is safe for a terminal: control characters are shown as codes such as `\u001b`, so that escape sequences in files, agents or
 * datasets have no effect. JSON stays valid and equal.
 */
export const printable = (text: string): string =>
  text.replace(controls, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
