import { box, type TracedEnv } from "@reins/core";
import {
  add,
  concat,
  eq,
  gather,
  maximum,
  minimum,
  mul,
  neg,
  random,
  reshape,
  slice,
  sub,
  type Tensor,
  zeros,
} from "@reins/tensor";

/** Options of an inventory. */
export interface InventoryOptions {
  /** Periods until an order arrives. */
  readonly leadTime?: number;
  /** Holding cost of a unit left at the end of a period. */
  readonly holding?: number;
  /** Penalty of a unit of unmet demand. */
  readonly penalty?: number;
  /** Whether unmet demand is lost or backlogged. */
  readonly unmet?: "lost" | "backlogged";
  /** Maximum initial units on hand, and on order per period. */
  readonly initial?: number;
}

/** Recorded demand, [rows, periods]: each row plays its own history, which decisions do not affect. */
export type DemandTraces = { demand: Tensor };

/** Units on hand, then those that arrive in 1, 2, … periods, [rows, lead time]; and the period, [rows]. */
export type InventoryState = { stock: Tensor; period: Tensor };

/**
 * An inventory that orders each period (negative orders count as 0) and receives the order after a lead time,
 * under recorded demand. The reward is minus the holding and shortage cost. Stock depends on orders and demand
 * alone, so any policy can be evaluated on the same history, and costs are differentiable in the orders (Alvo et
 * al., "Neural Inventory Control in Networks via Hindsight Differentiable Policy Optimization", 2023). Without a
 * backlog no simple policy is optimal (Zipkin, "Old and New Methods for Lost-Sales Inventory Systems", 2008).
 */
export function inventory(options: InventoryOptions = {}): TracedEnv<DemandTraces, InventoryState> {
  const { leadTime = 4, holding = 1, penalty = 9, unmet = "lost", initial = 10 } = options;
  return {
    spec: { id: "Inventory-v0", observation: box([leadTime]), action: box([1], 0) },
    reset: (_, rows, key) => ({
      stock: random.uniform(key, [rows, leadTime], 0, initial),
      period: zeros([rows], "i32"),
    }),
    observe: (_, { stock }) => stock,
    step({ demand }, { stock, period }, action) {
      const [rows, periods] = demand.shape;
      const asked = gather(demand, reshape(period, [rows, 1]), 1);
      const left = sub(slice(stock, [null, [0, 1]]), asked);
      const cost = add(mul(holding, maximum(left, 0)), mul(-penalty, minimum(left, 0)));
      const coming = concat([slice(stock, [null, [1, leadTime]]), maximum(action as Tensor, 0)], 1);
      const kept = unmet === "lost" ? maximum(left, 0) : left;
      const onHand = add(slice(coming, [null, [0, 1]]), kept);
      return {
        state: {
          stock: leadTime === 1 ? onHand : concat([onHand, slice(coming, [null, [1, leadTime]])], 1),
          period: minimum(add(period, 1), periods - 1),
        },
        reward: neg(reshape(cost, [rows])),
        terminated: eq(period, periods - 1),
      };
    },
  };
}
