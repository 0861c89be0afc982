import { discrete, tuple } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";

/** Options of a game. */
export interface BlackjackOptions extends BatchedOptions {
  /** Sutton and Barto's rules: a natural (an ace and a ten) wins unless the dealer has one too. */
  readonly suttonBarto?: boolean;
  /** Without Sutton and Barto's rules: a winning natural has reward 1.5. */
  readonly natural?: boolean;
}

/**
 * Get closer to 21 than the dealer: stick (0) or hit (1), with an infinite deck. Observations are the sum, the
 * dealer's open card and whether there is a usable ace. Sutton and Barto, "Reinforcement Learning" (2018), example
 * 5.1.
 */
export class Blackjack extends BatchedEnv<readonly [Tensor, Tensor, Tensor]> {
  protected readonly state;
  private readonly suttonBarto: boolean;
  private readonly natural: boolean;

  constructor({ suttonBarto = true, natural = false, ...options }: BlackjackOptions = {}) {
    super(
      {
        id: "Blackjack-v1",
        observation: tuple(discrete(32), discrete(11), discrete(2)),
        action: discrete(2),
      },
      options,
    );
    this.suttonBarto = suttonBarto;
    this.natural = natural;
    const column = () => new Int32Array(this.rows);
    // Sums count every ace as 1. `cards` is the player's number of cards, `suit` and `face` the look of the
    // dealer's open card.
    this.state = {
      sum: column(),
      aces: column(),
      cards: column(),
      open: column(),
      dealer: column(),
      dealerAces: column(),
      suit: column(),
      face: column(),
    };
  }

  protected begin(row: number): void {
    const { state } = this;
    const open = this.card(row);
    const hidden = this.card(row);
    const first = this.card(row);
    const second = this.card(row);
    state.open[row] = open;
    state.dealer[row] = open + hidden;
    state.dealerAces[row] = (open === 1 ? 1 : 0) + (hidden === 1 ? 1 : 0);
    state.sum[row] = first + second;
    state.aces[row] = (first === 1 ? 1 : 0) + (second === 1 ? 1 : 0);
    state.cards[row] = 2;
    // For rendering only, but it draws from the random stream.
    state.suit[row] = this.random[row].integers(0, 4);
    state.face[row] = open === 10 ? this.random[row].integers(0, 3) : 0;
  }

  protected observe(row: number): void {
    const { sum, aces, open } = this.state;
    const usable = aces[row] > 0 && sum[row] + 10 <= 21 ? 1 : 0;
    const [total, dealer, ace] = this.observation;
    total.data[row] = sum[row] + 10 * usable;
    dealer.data[row] = open[row];
    ace.data[row] = usable;
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { state } = this;
    const actions = action.data as Int32Array;
    const reward = this.reward.data as Float32Array;
    const terminated = this.terminated.data as Uint8Array;
    for (let row = from; row < to; row++) {
      if (actions[row] === 1) {
        const card = this.card(row);
        state.sum[row] += card;
        state.cards[row]++;
        if (card === 1) state.aces[row]++;
        const bust = state.sum[row] > 21;
        terminated[row] = bust ? 1 : 0;
        reward[row] = bust ? -1 : 0;
      } else {
        terminated[row] = 1;
        reward[row] = this.settle(row);
      }
      this.observe(row);
    }
  }

  /** The dealer draws to 17, and the hands are compared. */
  private settle(row: number): number {
    const { sum, aces, cards, dealer, dealerAces } = this.state;
    const dealerNatural = isNatural(dealer[row], dealerAces[row]);
    while (best(dealer[row], dealerAces[row]) < 17) {
      const card = this.card(row);
      dealer[row] += card;
      if (card === 1) dealerAces[row]++;
    }
    const mine = best(sum[row], aces[row]);
    const total = best(dealer[row], dealerAces[row]);
    const its = total > 21 ? 0 : total;
    const won = mine > its ? 1 : mine < its ? -1 : 0;
    const natural = cards[row] === 2 && isNatural(sum[row], aces[row]);
    if (this.suttonBarto) return natural && !dealerNatural ? 1 : won;
    return this.natural && natural && won === 1 ? 1.5 : won;
  }

  /** A card of an infinite deck: 1 to 10, where ten, jack, queen and king are 10. */
  private card(row: number): number {
    const card = this.random[row].integers(0, 13) + 1;
    return card > 10 ? 10 : card;
  }

  render(row: number): string {
    const { sum, aces, cards, open, suit, face } = this.state;
    const name = open[row] === 1 ? "A" : open[row] === 10 ? "JQK"[face[row]] : String(open[row]);
    const s = "♣♦♥♠"[suit[row]];
    const total = best(sum[row], aces[row]);
    const soft = total !== sum[row] ? ", with an ace for 11" : "";
    return [
      "dealer",
      "┌─────┐┌─────┐",
      `│${name.padEnd(5)}││░░░░░│`,
      `│  ${s}  ││░░░░░│`,
      `│${name.padStart(5)}││░░░░░│`,
      "└─────┘└─────┘",
      `player ${total}${soft}, ${cards[row]} cards`,
    ].join("\n");
  }
}

/** The sum with one ace as 11 if that does not exceed 21. */
function best(sum: number, aces: number): number {
  return aces > 0 && sum + 10 <= 21 ? sum + 10 : sum;
}

/** Of the first two cards: an ace and a ten. */
function isNatural(sum: number, aces: number): boolean {
  return sum === 11 && aces === 1;
}
