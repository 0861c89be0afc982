/**
 * Stops the clock of a thread at the first moment of the year 2000, in UTC, and takes chance away: what asks for them, sql.js among it, gets
 * the same on each machine.
 *
 * Threads start from the text of this function, so it uses nothing but what it is given.
 */
export function standStill(require: NodeJS.Require): void {
  const start = Date.UTC(2000, 0, 1);
  Date.now = () => start;
  for (const part of ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds", "Milliseconds"])
    Reflect.set(Date.prototype, `get${part}`, Reflect.get(Date.prototype, `getUTC${part}`));
  Date.prototype.getTimezoneOffset = () => 0;
  Math.random = () => 0;
  // The name of a database is drawn too, and queries can see it.
  const fill = (view: Uint8Array) => view.fill(7);
  crypto.getRandomValues = fill as typeof crypto.getRandomValues;
  require("node:crypto").randomFillSync = fill;
}
