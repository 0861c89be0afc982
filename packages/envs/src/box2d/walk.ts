import type { Rendering } from "@reins/core";
import type { Generator } from "@reins/core/random";
import type { Body, RevoluteJoint, World } from "planck";
import type { Column, Scene } from "../scenes/scene-env.ts";
import {
  framesPerSecond,
  hinge,
  mover,
  movingBody,
  newWorld,
  polygonBody,
  stepWorld,
  Touches,
} from "./bodies.ts";
import { Lidar } from "./lidar.ts";
import type { Engine } from "./planck.ts";
import { walkerPicture, walkerText } from "./walker-rendering.ts";
import {
  drawTerrain,
  grassLength,
  startLength,
  type Terrain,
  terrainHeight,
  terrainLength,
  terrainStep,
} from "./walker-terrain.ts";

const scale = 30;
const [width, height] = [600 / scale, 400 / scale];
const hull = [
  [-30, 9],
  [-30, -8],
  [34, -8],
  [34, 1],
  [6, 9],
] as const;
const leg = { width: 8 / scale, height: 34 / scale, below: -8 / scale };
const torque = 80;
/** Maximum speeds of hips and knees. */
const speeds = [4, 6, 4, 6] as const;
const push = 5;
const friction = 2.5;

/** One episode of walking. */
export class Walk implements Scene {
  reward = 0;
  over = false;
  readonly terrain: Terrain;
  readonly body: Body;
  /** The upper and lower part of each leg. */
  readonly legs: Body[] = [];
  readonly lidar: Lidar;
  private readonly joints: RevoluteJoint[] = [];
  private readonly world: World;
  private readonly touches: Touches;
  private shaping = 0;

  constructor(engine: Engine, random: Generator, hard: boolean) {
    this.world = newWorld(engine, -10);
    this.terrain = drawTerrain(random, hard);
    this.lidar = new Lidar(this.terrain);
    this.lay(engine);
    const start = { x: (terrainStep * startLength) / 2, y: terrainHeight + 2 * leg.height };
    const fixture = { density: 5, friction: 0.1, ...mover };
    this.body = polygonBody(engine, this.world, start, { corners: hull, scale }, fixture);
    this.body.applyForceToCenter({ x: random.uniform(-push, push), y: 0 }, true);
    for (const side of [-1, 1]) this.leg(engine, side, start);
    this.touches = new Touches(this.world, this.body, [this.legs[1], this.legs[3]]);
    this.act(new Float32Array(4), 0);
  }

  /** Adds the ground to the world as one body, because static bodies cost time in every step, too. */
  private lay({ Edge, Polygon }: Engine): void {
    const { points, blocks } = this.terrain;
    const at = ([x, y]: readonly [number, number]) => ({ x, y });
    const body = this.world.createBody();
    for (const block of blocks) body.createFixture({ shape: new Polygon(block.map(at)), friction });
    for (let i = 1; i < points.length; i++) {
      const shape = new Edge(at(points[i - 1]), at(points[i]));
      body.createFixture({ shape, friction });
    }
  }

  private leg(engine: Engine, side: number, { x, y }: { readonly x: number; readonly y: number }): void {
    const { world } = this;
    const [half, angle] = [leg.height / 2, side * 0.05];
    const part = (share: number) => ({
      shape: new engine.Box((share * leg.width) / 2, half),
      density: 1,
      ...mover,
    });
    const upper = movingBody(world, { x, y: y - half - leg.below, angle }, part(1));
    const hip = { on: this.body, of: upper, at: { x: 0, y: leg.below }, to: { x: 0, y: half } };
    this.joints.push(hinge(engine, world, { ...hip, torque, speed: side, range: [-0.8, 1.1] }));
    const lower = movingBody(world, { x, y: y - 3 * half - leg.below, angle }, part(0.8));
    const knee = { on: upper, of: lower, at: { x: 0, y: -half }, to: { x: 0, y: half } };
    this.joints.push(hinge(engine, world, { ...knee, torque, speed: 1, range: [-1.6, -0.1] }));
    this.legs.push(upper, lower);
  }

  act(action: Float32Array, at: number): void {
    const { body, joints } = this;
    let effort = 0;
    for (let i = 0; i < joints.length; i++) {
      const size = Math.min(1, Math.abs(action[at + i]));
      joints[i].setMotorSpeed(speeds[i] * Math.sign(action[at + i]));
      joints[i].setMaxMotorTorque(torque * size);
      effort += size;
    }
    stepWorld(this.world);
    this.lidar.from(body.getPosition().x, body.getPosition().y);
    const { x } = body.getPosition();
    const before = this.shaping;
    this.shaping = (130 * x) / scale - 5 * Math.abs(body.getAngle());
    this.reward = this.shaping - before - 0.00035 * torque * effort;
    if (this.touches.crashed || x < 0) {
      this.reward = -100;
      this.over = true;
    }
    if (x > (terrainLength - grassLength) * terrainStep) this.over = true;
  }

  observe(out: Column, at: number): void {
    const { body, joints, touches } = this;
    const v = body.getLinearVelocity();
    out[at] = body.getAngle();
    out[at + 1] = (2 * body.getAngularVelocity()) / framesPerSecond;
    out[at + 2] = (0.3 * v.x * width) / framesPerSecond;
    out[at + 3] = (0.3 * v.y * height) / framesPerSecond;
    for (let side = 0; side < 2; side++) {
      const first = at + 4 + 5 * side;
      const [hip, knee] = [joints[2 * side], joints[2 * side + 1]];
      out[first] = hip.getJointAngle();
      out[first + 1] = hip.getJointSpeed() / speeds[0];
      out[first + 2] = knee.getJointAngle() + 1;
      out[first + 3] = knee.getJointSpeed() / speeds[1];
      out[first + 4] = touches.feet[side];
    }
    out.set(this.lidar.shares, at + 14);
  }

  picture(): Rendering {
    return walkerPicture(this);
  }

  render(): string {
    return walkerText(this);
  }
}
