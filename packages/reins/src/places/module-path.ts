/** Whether a name is a file of code rather than a registered or Python name. */
export const isModulePath = (text: string): boolean =>
  /^[./~]|[/\\]|\.[cm]?[jt]s$/.test(text) && !/^(gymnasium|pettingzoo):/.test(text);

/**
 * The Python module that creating an environment imports, as in `gymnasium:my_module:My-v0` and `pettingzoo:my_module`; undefined if
 * only Gymnasium itself is imported. Gymnasium's wrappers of the older Gym import modules that their options name.
 */
export function pythonModule(name: string): string | undefined {
  const [, kind, id] = /^(gymnasium|pettingzoo):(.*)$/s.exec(name) ?? [];
  if (kind === "pettingzoo") return id;
  return id?.includes(":")
    ? id.slice(0, id.indexOf(":"))
    : /^GymV\d+Environment/.test(id ?? "")
      ? id
      : undefined;
}

/** Whether creating an environment of this name runs code outside of Reins and Gymnasium: a file, or a Python module. */
export const namesCode = (name: string): boolean => isModulePath(name) || pythonModule(name) !== undefined;
