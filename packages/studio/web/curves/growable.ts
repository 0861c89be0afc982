/** Numbers in a row to which others are added. `data` may be longer than what counts, which is the first `length`. */
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

  /** The first place whose number is at least x, in numbers that never fall. */
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
