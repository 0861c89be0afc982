/** Parses settings: `learningRate=1e-3 clip="linear(0.2, 0)"`. */
export function settingsIn(text: string): { settings: Record<string, string>; problem?: string } {
  const settings: Record<string, string> = {};
  for (const word of text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []) {
    const [, name, value] = /^(?:--)?([A-Za-z][\w-]*)=(.+)$/s.exec(word.replaceAll('"', "")) ?? [];
    if (name === undefined)
      return { settings, problem: `"${word}" is not a setting. Write it as learningRate=1e-3.` };
    settings[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())] = value;
  }
  return { settings };
}
