/** Something that is answered by an error of HTTP, with a reason that a person can read. */
export class Refusal extends Error {
  readonly status: 400 | 403 | 404 | 409 | 413 | 422;

  constructor(status: Refusal["status"], why: string) {
    super(why);
    this.status = status;
  }
}
