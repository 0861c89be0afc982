/**
 * Fixes a thread's clock at the first moment of the year 2000 in UTC and removes randomness, so that sql.js and
 * others get the same values on every machine.
 *
 * Threads start from the source text of this function, so it uses only its parameters.
 */
export function fixClock(require: NodeJS.Require): void {
  const start = Date.UTC(2000, 0, 1);
  Date.now = () => start;
  for (const part of ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds", "Milliseconds"])
    Reflect.set(Date.prototype, `get${part}`, Reflect.get(Date.prototype, `getUTC${part}`));
  Date.prototype.getTimezoneOffset = () => 0;
  Math.random = () => 0;
  // The name of a database is random too, and visible to queries.
  const fill = (view: Uint8Array) => view.fill(7);
  crypto.getRandomValues = fill as typeof crypto.getRandomValues;
  require("node:crypto").randomFillSync = fill;
}
