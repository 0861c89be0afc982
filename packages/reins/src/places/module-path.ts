/** Whether a word names a file of code rather than something by its name, here or in Python. */
export const isModulePath = (text: string): boolean =>
  /^[./~]|[/\\]|\.[cm]?[jt]s$/.test(text) && !/^(gymnasium|pettingzoo):/.test(text);
