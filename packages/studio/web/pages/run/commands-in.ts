/** Commands of Reins that a text names in backticks, or after "Try:" on a line of their own. */
export const commandsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/`((?:npx )?reins [^`]+)`|^\s*(?:Try: *)?((?:npx )?reins [a-z-]+ .+?)\.?$/gm)].map(
      ([, quoted, line]) => quoted ?? line,
    ),
  ),
];
