/** How a field of skills is made. */
export interface SkillFieldOptions {
  /** Skills along each side. */
  readonly size: number;
  /** The side of the square of skills that can be learned, from the corner at 0; all others never are. */
  readonly learnable: number;
  /** Exercises that a skill takes. */
  readonly exercises: number;
}

/**
 * A student with skills on a square, who is given exercises at points from 0 to 1 (after Portelas et al., 2019, whose fields of cubes are of
 * this kind). A skill can be practised once one beside it is three quarters learned; the first is in the corner. An exercise pays what its
 * skill has come to: nothing where it is too early, or can never be learned.
 */
export class SkillField {
  private readonly options: SkillFieldOptions;
  private readonly skills: Float64Array;

  constructor(options: SkillFieldOptions) {
    this.options = options;
    this.skills = new Float64Array(options.size * options.size);
  }

  /** Gives an exercise; says what it paid. */
  practise([x, y]: readonly number[]): number {
    const { size, exercises } = this.options;
    const cell = (v: number) => Math.min(Math.max(Math.floor(v * size), 0), size - 1);
    const [column, line] = [cell(x), cell(y)];
    if (!this.open(column, line)) return 0;
    const at = line * size + column;
    this.skills[at] = Math.min(1, this.skills[at] + 1 / exercises);
    return this.skills[at];
  }

  /** The share of the skills that can be learned that are learned to nine tenths. */
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
