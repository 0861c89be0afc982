/**
 * Consequences of each fault, by the names of diagnostics. If a cause is found, its consequences are listed under it without their
 * remedies, which would not help and may contradict those of the cause. The table has no cycles.
 */
export const consequences: { readonly [cause: string]: readonly string[] } = {
  "broken observation": ["NaN", "policy never changes", "dead units", "policy collapse"],
  "broken reward": ["NaN", "policy never changes", "dead units", "policy collapse"],
  "constant observation": ["dead units", "uninformative critic"],
  "no episode ends": ["no reward", "uninformative critic"],
  "huge rewards": [
    "NaN",
    "steps too large",
    "exploding value loss",
    "policy never changes",
    "dead units",
    "uninformative critic",
    "entropy collapse",
    "policy collapse",
  ],
  "unnormalised observations": [
    "NaN",
    "steps too large",
    "exploding value loss",
    "dead units",
    "uninformative critic",
    "entropy collapse",
  ],
  "length bias": ["reward without score"],
  "one answer for all": ["reward without score", "no reward", "collapsed role", "entropy collapse"],
  "failing judge": ["no reward", "policy never changes", "collapsed role"],
  "no update yet": ["policy never changes", "uninformative critic"],
  "no reward": ["policy never changes", "dead units", "uninformative critic"],
  "wrong sign of the loss": ["entropy collapse", "policy collapse", "uninformative critic"],
  "wrong sign of the advantage": ["entropy collapse", "policy collapse", "uninformative critic"],
  "steps too large": [
    "NaN",
    "exploding value loss",
    "dead units",
    "entropy collapse",
    "collapsed role",
    "policy collapse",
    "uninformative critic",
  ],
  NaN: ["policy never changes", "dead units", "policy collapse"],
  "exploding value loss": ["uninformative critic", "policy collapse"],
  "dead units": ["uninformative critic"],
  "entropy collapse": ["collapsed role"],
};
