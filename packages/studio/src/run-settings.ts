type Config = Readonly<Record<string, unknown>>;

/**
 * All settings of a run by name, from its `config.json`: algorithm, environment, the files that define them, seed, budget, options of the
 * algorithm and (as `env.…`) of the environment. An option named like a setting of the run is prefixed with `options.`: PPO's `steps` is
 * `options.steps`.
 */
export function runSettings({ algorithm, env, seed, steps, wrappers, judge, ...config }: Config) {
  const found = new Map<string, unknown>(Object.entries({ algorithm, env, seed, steps }));
  const files = { envFile: config.module, algorithmFile: config.algorithmModule };
  for (const [name, value] of Object.entries({ wrappers, judge, ...files }))
    if (value !== undefined) found.set(name, value);
  for (const [name, value] of Object.entries((config.options ?? {}) as Config))
    found.set(found.has(name) ? `options.${name}` : name, value);
  for (const [name, value] of Object.entries((config.envOptions ?? {}) as Config))
    found.set(`env.${name}`, value);
  return found;
}
