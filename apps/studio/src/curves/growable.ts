/** A growing array of numbers. Only the first `length` entries of `data` are valid. */
export class Growable {
  data = new Float64Array(256);
  length = 0;

  push(more: Float64Array): void {
    const need = this.length + more.length;
    if (need > this.data.length) {
      const larger = new Float64Array(Math.max(need, this.data.length * 2));
      larger.set(this.data.subarray(0, this.length));
      this.data = larger;
    }
    this.data.set(more, this.length);
    this.length = need;
  }

  /** Index of the first number that is at least x, in sorted numbers. */
  lower(x: number): number {
    let [from, to] = [0, this.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.data[middle] < x) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
