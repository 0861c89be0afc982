import { real } from "@reins/tensor";
import { halfWidth, nearestAround, nearestTile, offsetFrom, type Track } from "./track.ts";

/** Step duration in seconds, and the number of substeps. */
export const stepSeconds = 0.04;
const parts = 4;

/** Wheel positions: metres ahead of the centre of the car, and to its left. */
export const wheels = [
  [1.3, 0.8],
  [1.3, -0.8],
  [-1.3, 0.8],
  [-1.3, -0.8],
] as const;
/** Half of the car's length and width. */
export const carSize = [2, 0.9] as const;
/** Maximum angle of the front wheels, and their turning speed. */
export const steerMost = 0.4;
const steerSpeed = 2;

// All forces are for a car of one kilogram.
const inertia = 1.6;
const load = 9.81 / 4;
const grip = { road: 1.2, grass: 0.5 };
const engine = { force: 2.5, power: 40 };
const brakeForce = 2.25;
const drag = 0.0025;
/** Drag of grass on each wheel's speed. */
const mud = 0.1;
/** Time constant in seconds in which a gripping tyre stops its slip. */
const stiffness = 0.05;

/** Controls: steering from -1 (right) to 1 (left), and the pedals from 0 to 1. */
export interface Controls {
  steer: number;
  gas: number;
  brake: number;
}

/**
 * A car from above: one rigid body on four tyres. Each tyre acts against its slip, and along it by engine and
 * brakes, but never beyond its grip, where it slides. Grass has less grip than the road, and slows the wheels.
 */
export class Car {
  x: number;
  y: number;
  angle = 0;
  speedX = 0;
  speedY = 0;
  spin = 0;
  /** Angle of the front wheels. */
  steered = 0;
  /** Wheels on the road. */
  onRoad = 4;
  /** The nearest tile. */
  tile = 0;
  private readonly track: Track;

  constructor(track: Track) {
    this.track = track;
    [this.x, this.y] = [track.x[0], track.y[0]];
  }

  /** Speed along the car's axis. */
  get forward(): number {
    return this.speedX * real.cos(this.angle) + this.speedY * real.sin(this.angle);
  }

  /** Speed to the left. */
  get sideways(): number {
    return this.speedY * real.cos(this.angle) - this.speedX * real.sin(this.angle);
  }

  /** Drives for one step. */
  drive(controls: Controls): void {
    for (let part = 0; part < parts; part++) this.push(controls, stepSeconds / parts);
    this.tile = nearestTile(this.track, this.x, this.y);
  }

  private push({ steer, gas, brake }: Controls, dt: number): void {
    const turn = steer * steerMost - this.steered;
    this.steered += Math.max(-steerSpeed * dt, Math.min(steerSpeed * dt, turn));
    const [cos, sin] = [real.cos(this.angle), real.sin(this.angle)];
    const heading = this.angle + this.steered;
    const ahead = { cos: real.cos(heading), sin: real.sin(heading) };
    let [forceX, forceY, torque] = [0, 0, 0];
    this.onRoad = 0;
    for (let w = 0; w < 4; w++) {
      const [along, left] = wheels[w];
      const [rx, ry] = [along * cos - left * sin, along * sin + left * cos];
      const [vx, vy] = [this.speedX - this.spin * ry, this.speedY + this.spin * rx];
      const front = w < 2;
      const [hx, hy] = front ? [ahead.cos, ahead.sin] : [cos, sin];
      const rolling = vx * hx + vy * hy;
      const slip = vy * hx - vx * hy;
      const tile = nearestAround(this.track, this.tile, this.x + rx, this.y + ry);
      const road = Math.abs(offsetFrom(this.track, tile, this.x + rx, this.y + ry)) <= halfWidth;
      if (road) this.onRoad++;
      let push = front ? 0 : gas * Math.min(engine.force, engine.power / Math.max(1, rolling));
      push -= Math.sign(rolling) * Math.min(brake * brakeForce, Math.abs(rolling) / (4 * stiffness));
      if (!road) push -= mud * rolling;
      let side = -slip / (4 * stiffness);
      const most = load * (road ? grip.road : grip.grass);
      const force = Math.sqrt(push * push + side * side);
      if (force > most) {
        push *= most / force;
        side *= most / force;
      }
      const [fx, fy] = [push * hx - side * hy, push * hy + side * hx];
      forceX += fx;
      forceY += fy;
      torque += rx * fy - ry * fx;
    }
    const speed = Math.sqrt(this.speedX * this.speedX + this.speedY * this.speedY);
    this.speedX += dt * (forceX - drag * speed * this.speedX);
    this.speedY += dt * (forceY - drag * speed * this.speedY);
    this.spin += (dt * torque) / inertia;
    this.x += dt * this.speedX;
    this.y += dt * this.speedY;
    this.angle += dt * this.spin;
  }
}
