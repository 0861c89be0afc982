/** The order in which pending messages arrive. Those of row 0 always come last. */
export type Order = "first" | "last";
/** A game with asynchronous messages: each move repeats a number. Answers arrive later, in some order. */
export class Mail {
  /** Games that each of the four rows has played. */
  readonly games = [0, 0, 0, 0];
  private readonly waiting: { row: number; deliver: () => void }[] = [];
  private readonly order: Order;

  constructor(order: Order) {
    this.order = order;
  }

  /** The number to repeat in a move of a game. */
  ask(row: number, game: number, move: number): Promise<number> {
    return new Promise((answer) => {
      this.waiting.push({ row, deliver: () => answer((5 * game + 7 * move) % 3) });
      setImmediate(() => this.deliver());
    });
  }

  private deliver(): void {
    const fast = this.waiting.filter((letter) => letter.row !== 0);
    const those = fast.length ? fast : this.waiting;
    const letter = this.order === "first" ? those[0] : those[those.length - 1];
    this.waiting.splice(this.waiting.indexOf(letter), 1);
    letter.deliver();
  }
}
