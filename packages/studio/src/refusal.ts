/** An error with an HTTP status and a message for the user. */
export class Refusal extends Error {
  readonly status: 400 | 403 | 404 | 409 | 413 | 422;

  constructor(status: Refusal["status"], why: string) {
    super(why);
    this.status = status;
  }
}
