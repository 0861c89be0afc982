/** Commands of Reins in a text, in backticks or after "Try:" on a separate line. */
export const commandsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/`((?:npx )?reins [^`]+)`|^\s*(?:Try: *)?((?:npx )?reins [a-z-]+ .+?)\.?$/gm)].map(
      ([, quoted, line]) => quoted ?? line,
    ),
  ),
];
