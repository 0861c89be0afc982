import * as nn from "@reins/nn";
import { add, type Tensor, type Tree } from "@reins/tensor";

/** Expansion factor of a block. */
const wider = 4;

/** Layer norm, a wider relu layer and a projection back, with a residual connection (Lee et al., 2024). */
function block(width: number): nn.Layer<Tree> {
  const he = { weightInit: nn.init.kaimingNormal(Math.SQRT2), biasInit: nn.init.zeros };
  const inside = nn.sequential(
    nn.layerNorm(width),
    nn.linear({ inputs: width, outputs: wider * width, ...he }),
    "relu",
    nn.linear({ inputs: wider * width, outputs: width, ...he }),
  ) as nn.Layer<Tree>;
  return { init: inside.init, apply: (params, x: Tensor) => add(x, inside.apply(params, x)) };
}

/**
 * A linear layer to the first width, a residual block per hidden width, a layer norm and a linear output layer:
 * such networks are biased towards simple functions. Where widths differ, a linear layer comes between.
 */
export function residualLayers(widths: readonly number[]): nn.Layer<Tree> {
  const straight = { weightInit: nn.init.orthogonal(1), biasInit: nn.init.zeros };
  const blocks = widths
    .slice(1, -1)
    .flatMap((outputs, i) => [
      ...(i === 0 || outputs !== widths[i] ? [nn.linear({ inputs: widths[i], outputs, ...straight })] : []),
      block(outputs),
    ]);
  const [inputs, outputs] = widths.slice(-2);
  return nn.sequential(
    ...blocks,
    ...(blocks.length ? [nn.layerNorm(inputs)] : []),
    nn.linear({ inputs, outputs, ...straight }),
  ) as nn.Layer<Tree>;
}
