/**
 * Consequences of each fault, by the names of diagnostics. If a cause is found, its consequences are listed under it without their
 * remedies, which would not help and may contradict those of the cause. The table has no cycles.
 */
export const consequences: { readonly [cause: string]: readonly string[] } = {
  "broken observation": ["NaN", "nothing changes", "dead units", "lost what it knew"],
  "broken reward": ["NaN", "nothing changes", "dead units", "lost what it knew"],
  "constant observation": ["dead units", "a critic that explains nothing"],
  "no episode ends": ["no reward", "a critic that explains nothing"],
  "huge rewards": [
    "NaN",
    "steps too large",
    "exploding value loss",
    "nothing changes",
    "dead units",
    "a critic that explains nothing",
    "entropy collapse",
    "lost what it knew",
  ],
  "unnormalised observations": [
    "NaN",
    "steps too large",
    "exploding value loss",
    "dead units",
    "a critic that explains nothing",
    "entropy collapse",
  ],
  "failing judge": ["no reward", "nothing changes", "collapsed role"],
  "no update yet": ["nothing changes", "a critic that explains nothing"],
  "no reward": ["nothing changes", "dead units", "a critic that explains nothing"],
  "wrong sign of the loss": ["entropy collapse", "lost what it knew", "a critic that explains nothing"],
  "wrong sign of the advantage": ["entropy collapse", "lost what it knew", "a critic that explains nothing"],
  "steps too large": [
    "NaN",
    "exploding value loss",
    "dead units",
    "entropy collapse",
    "collapsed role",
    "lost what it knew",
    "a critic that explains nothing",
  ],
  NaN: ["nothing changes", "dead units", "lost what it knew"],
  "exploding value loss": ["a critic that explains nothing", "lost what it knew"],
  "dead units": ["a critic that explains nothing"],
  "entropy collapse": ["collapsed role"],
};
