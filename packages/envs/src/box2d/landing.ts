import type { Rendering } from "@reins/core";
import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";
import type { Body, World } from "planck";
import type { Column, Scene } from "../scenes/scene-env.ts";
import {
  framesPerSecond,
  ground,
  hinge,
  mover,
  movingBody,
  newWorld,
  polygonBody,
  stepWorld,
  Touches,
} from "./bodies.ts";
import { landerPicture, landerText } from "./lander-rendering.ts";
import type { Engine } from "./planck.ts";

/** Pixels per metre in Gymnasium's rendering. */
const scale = 30;
const [width, height] = [600 / scale, 400 / scale];
const padHeight = height / 4;
const chunks = 11;
const hull = [
  [-14, 17],
  [-17, 0],
  [-17, -10],
  [17, -10],
  [17, 0],
  [14, 17],
] as const;
const leg = { away: 20 / scale, down: 18 / scale, width: 2 / scale, height: 8 / scale, torque: 40 };
const engines = {
  main: 13,
  side: 0.6,
  below: 4 / scale,
  away: 12 / scale,
  across: 17 / scale,
  above: 14 / scale,
};
const push = 1000;

/** Settings of a landing. */
export interface Conditions {
  readonly continuous: boolean;
  readonly gravity: number;
  readonly wind: boolean;
  readonly windPower: number;
  readonly turbulencePower: number;
}

/** One landing. */
export class Landing implements Scene {
  reward = 0;
  over = false;
  /**
   * Engine powers of the last step, for rendering: the main engine, and a side engine, positive where it pushes to
   * the right.
   */
  readonly firing = { main: 0, side: 0 };
  readonly ground: readonly (readonly [x: number, y: number])[];
  readonly body: Body;
  readonly legs: readonly Body[];
  private readonly world: World;
  private readonly random: Generator;
  private readonly conditions: Conditions;
  private readonly touches: Touches;
  private readonly seen = new Float64Array(8);
  private shaping = 0;
  private gust = 0;
  private twist = 0;

  constructor(engine: Engine, random: Generator, conditions: Conditions) {
    this.random = random;
    this.conditions = conditions;
    this.world = newWorld(engine, conditions.gravity);
    this.ground = terrain(random);
    const moon = this.world.createBody();
    moon.createFixture({ shape: new engine.Edge({ x: 0, y: 0 }, { x: width, y: 0 }) });
    for (let i = 1; i < chunks; i++) {
      const [[x0, y0], [x1, y1]] = [this.ground[i - 1], this.ground[i]];
      moon.createFixture({ shape: new engine.Edge({ x: x0, y: y0 }, { x: x1, y: y1 }), friction: 0.1 });
    }
    const density = { density: 5, friction: 0.1, filterCategoryBits: 0x0010, filterMaskBits: ground };
    const start = { x: width / 2, y: height };
    this.body = polygonBody(engine, this.world, start, { corners: hull, scale }, density);
    const [x, y] = [random.uniform(-push, push), random.uniform(-push, push)];
    this.body.applyForceToCenter({ x, y }, true);
    if (conditions.wind) {
      this.gust = random.integers(-9999, 9999);
      this.twist = random.integers(-9999, 9999);
    }
    this.legs = [-1, 1].map((side) => this.leg(engine, side));
    this.touches = new Touches(this.world, this.body, this.legs);
    this.act(new Float32Array(2), 0);
    this.reward = 0;
  }

  private leg(engine: Engine, side: number): Body {
    const { away, down, torque } = leg;
    const at = { x: width / 2 - side * away, y: height, angle: side * 0.05 };
    const shape = new engine.Box(leg.width, leg.height);
    const of = movingBody(this.world, at, { shape, density: 1, ...mover });
    hinge(engine, this.world, {
      on: this.body,
      of,
      at: { x: 0, y: 0 },
      to: { x: side * away, y: down },
      torque,
      // Slow enough not to bounce.
      speed: 0.3 * side,
      range: side < 0 ? [0.4, 0.9] : [-0.9, -0.4],
    });
    return of;
  }

  act(action: Float32Array, at: number): void {
    const { continuous, wind } = this.conditions;
    const { body, touches, firing } = this;
    if (wind && !touches.feet[0] && !touches.feet[1]) this.blow();
    const first = action[at];
    const second = action[at + 1];
    if (continuous) {
      firing.main = first > 0 ? (Math.min(first, 1) + 1) / 2 : 0;
      firing.side = Math.abs(second) > 0.5 ? Math.max(-1, Math.min(1, second)) : 0;
    } else {
      firing.main = first === 2 ? 1 : 0;
      firing.side = first === 1 || first === 3 ? first - 2 : 0;
    }
    this.thrust();
    stepWorld(this.world);
    const before = this.shaping;
    this.look();
    this.reward = this.shaping - before - 0.3 * firing.main - 0.03 * Math.abs(firing.side);
    if (touches.crashed || Math.abs(this.seen[0]) >= 1) {
      this.over = true;
      this.reward = -100;
    }
    if (!body.isAwake()) {
      this.over = true;
      this.reward = 100;
    }
  }

  /** Engine impulses, each with a small random offset. */
  private thrust(): void {
    const { body, random, firing } = this;
    const { main, side, below, away, across, above } = engines;
    const [sin, cos] = [real.sin(body.getAngle()), real.cos(body.getAngle())];
    const { x, y } = body.getPosition();
    const near = random.uniform(-1, 1) / scale;
    const far = random.uniform(-1, 1) / scale;
    if (firing.main) {
      const ox = sin * (below + 2 * near) - cos * far;
      const oy = -cos * (below + 2 * near) - sin * far;
      const power = main * firing.main;
      body.applyLinearImpulse({ x: -ox * power, y: -oy * power }, { x: x + ox, y: y + oy }, true);
    }
    if (firing.side) {
      const out = 3 * far + Math.sign(firing.side) * away;
      const ox = sin * near - cos * out;
      const oy = -cos * near - sin * out;
      const power = side * Math.abs(firing.side);
      // Gymnasium uses two different heights for these engines, so that their torque depends on the angle.
      const place = { x: x + ox - sin * across, y: y + oy + cos * above };
      body.applyLinearImpulse({ x: -ox * power, y: -oy * power }, place, true);
    }
  }

  /** Aperiodic wind and turbulence. */
  private blow(): void {
    const { windPower, turbulencePower } = this.conditions;
    const wave = (t: number) => real.tanh(real.sin(0.02 * t) + real.sin(Math.PI * 0.01 * t));
    this.body.applyForceToCenter({ x: wave(this.gust++) * windPower, y: 0 }, true);
    this.body.applyTorque(wave(this.twist++) * turbulencePower, true);
  }

  /** The current observation and its shaping value. */
  private look(): void {
    const { seen, body, touches } = this;
    const { x, y } = body.getPosition();
    const v = body.getLinearVelocity();
    seen[0] = (x - width / 2) / (width / 2);
    seen[1] = (y - (padHeight + leg.down)) / (height / 2);
    seen[2] = (v.x * (width / 2)) / framesPerSecond;
    seen[3] = (v.y * (height / 2)) / framesPerSecond;
    seen[4] = body.getAngle();
    seen[5] = (20 * body.getAngularVelocity()) / framesPerSecond;
    seen[6] = touches.feet[0];
    seen[7] = touches.feet[1];
    const distance = Math.sqrt(seen[0] * seen[0] + seen[1] * seen[1]);
    const speed = Math.sqrt(seen[2] * seen[2] + seen[3] * seen[3]);
    this.shaping = -100 * (distance + speed + Math.abs(seen[4])) + 10 * (seen[6] + seen[7]);
  }

  observe(out: Column, at: number): void {
    out.set(this.seen, at);
  }

  picture(): Rendering {
    return landerPicture(this);
  }

  render(): string {
    return landerText(this);
  }
}

/** Terrain heights: flat between the flags. */
function terrain(random: Generator): [x: number, y: number][] {
  const heights = Array.from({ length: chunks + 1 }, () => random.uniform(0, height / 2));
  const middle = Math.floor(chunks / 2);
  heights.fill(padHeight, middle - 2, middle + 3);
  return Array.from({ length: chunks }, (_, i) => {
    const [left, here, right] = [heights.at(i - 1)!, heights[i], heights[i + 1]];
    return [(width / (chunks - 1)) * i, 0.33 * (left + here + right)];
  });
}
