/** Options of a skill field. */
export interface SkillFieldOptions {
  /** Skills along each side. */
  readonly size: number;
  /** The side of the square of learnable skills, from the corner at 0; the others cannot be learned. */
  readonly learnable: number;
  /** Exercises needed per skill. */
  readonly exercises: number;
}

/**
 * A simulated student with skills on a square, which takes exercises at points from 0 to 1 (after the fields of
 * cubes of Portelas et al., 2019). A skill can be practised once a neighbouring one is three quarters learned; the
 * first is in the corner. The reward of an exercise is the level of its skill: 0 if it is too early, or not
 * learnable.
 */
export class SkillField {
  private readonly options: SkillFieldOptions;
  private readonly skills: Float64Array;

  constructor(options: SkillFieldOptions) {
    this.options = options;
    this.skills = new Float64Array(options.size * options.size);
  }

  /** Takes an exercise; returns its reward. */
  practise([x, y]: readonly number[]): number {
    const { size, exercises } = this.options;
    const cell = (v: number) => Math.min(Math.max(Math.floor(v * size), 0), size - 1);
    const [column, line] = [cell(x), cell(y)];
    if (!this.open(column, line)) return 0;
    const at = line * size + column;
    this.skills[at] = Math.min(1, this.skills[at] + 1 / exercises);
    return this.skills[at];
  }

  /** The fraction of learnable skills that are at least nine tenths learned. */
  get mastered(): number {
    return this.skills.reduce((sum, s) => sum + (s > 0.9 - 1e-9 ? 1 : 0), 0) / this.options.learnable ** 2;
  }

  private open(column: number, line: number): boolean {
    const { size, learnable } = this.options;
    if (column >= learnable || line >= learnable) return false;
    if (column + line === 0) return true;
    const known = (c: number, l: number) =>
      c >= 0 && l >= 0 && c < learnable && l < learnable && this.skills[l * size + c] >= 0.75 - 1e-9;
    return (
      known(column - 1, line) || known(column + 1, line) || known(column, line - 1) || known(column, line + 1)
    );
  }
}
