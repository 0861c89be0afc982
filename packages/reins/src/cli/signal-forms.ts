/** What a signal may be given: names in the order in which they may be typed without them, and which must be there. */
interface Form {
  readonly takes: readonly string[];
  readonly needs: readonly string[];
  /** Arguments may be given by place as well as by name. */
  readonly ordered?: boolean;
  readonly fill?: { readonly [name: string]: number };
}

const bounds = ["of", "min", "max", "scope"];
const ramp: Form = { takes: ["from", "to", "over"], needs: ["from", "to"], ordered: true };

/** Every signal that can be typed. */
export const forms: { readonly [signal: string]: Form } = {
  linear: ramp,
  cosine: ramp,
  exponential: ramp,
  piecewise: { takes: [], needs: [], ordered: true },
  warmup: { takes: ["over", "then"], needs: ["over", "then"], ordered: true },
  pi: {
    takes: [...bounds, "target", "initial", "gain", "integral", "log"],
    needs: ["of", "target", "initial", "gain"],
    fill: { integral: 0 },
  },
  multiplicative: {
    takes: [...bounds, "target", "initial", "factor", "tolerance", "direction"],
    needs: ["of", "target", "initial", "direction"],
  },
  dual: {
    takes: [...bounds, "limit", "initial", "rate", "direction", "log"],
    needs: ["of", "limit", "initial", "rate"],
  },
  bandit: {
    takes: [...bounds, "choices", "hold", "window", "exploration", "reward"],
    needs: ["of", "choices"],
  },
  quantile: { takes: [...bounds, "q", "initial", "rate", "scale"], needs: ["of", "q", "initial"] },
  average: { takes: [...bounds, "initial", "decay", "scale", "offset"], needs: ["of", "initial"] },
};

/** An example of a signal, as it is typed. */
export function sample(signal: string): string {
  const samples: { readonly [signal: string]: string } = {
    piecewise: "piecewise(0:1, 0.5:0.1, 1:0)",
    warmup: "warmup(0.1, cosine(3e-4, 0))",
    pi: "pi(of=policy/kl, target=0.01, initial=0.2, gain=5, integral=1)",
    multiplicative: "multiplicative(of=policy/kl, target=0.01, initial=3e-4, direction=-1)",
    dual: "dual(of=policy/entropy, limit=0.5, initial=0.01, rate=0.01, direction=-1)",
    bandit: "bandit(of=return/mean, choices=[0.1, 0.2, 0.3])",
    quantile: "quantile(of=gradient/norm, q=0.9, initial=0.5)",
    average: "average(of=policy/kl, initial=0.2, scale=10)",
  };
  return samples[signal] ?? `${signal}(0.2, 0)`;
}
