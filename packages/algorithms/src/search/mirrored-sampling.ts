import type { Generator } from "@reins/core/random";

/**
 * Mirrored directions from a centre: member 2i goes along direction i and member 2i + 1 against it, so that common
 * returns cancel out (Geweke, 1988; Brockhoff et al., 2010).
 */
export class Mirrored {
  readonly directions: readonly Float64Array[];
  private readonly random: Generator;

  constructor(members: number, size: number, random: Generator) {
    this.directions = Array.from({ length: members / 2 }, () => new Float64Array(size));
    this.random = random;
  }

  /** Samples directions and writes the members at this distance. */
  ask(centre: Float64Array, sigma: number, members: readonly Float64Array[]): void {
    this.directions.forEach((direction, i) => {
      const [along, against] = [members[2 * i], members[2 * i + 1]];
      for (let k = 0; k < direction.length; k++) {
        direction[k] = this.random.normal();
        along[k] = centre[k] + sigma * direction[k];
        against[k] = centre[k] - sigma * direction[k];
      }
    });
  }
}
