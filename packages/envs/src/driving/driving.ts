import { box, discrete, type EnvSpec, image, type Rendering, type VectorEnv } from "@reins/core";
import type { Generator } from "@reins/core/random";
import type { BatchedOptions } from "../batch-form.ts";
import { type Column, type Scene, SceneEnv } from "../scenes/scene-env.ts";
import { Car, steerMost } from "./car.ts";
import { pixels, type RoadMap, roadMap, viewSize } from "./pixels.ts";
import { Rays } from "./rays.ts";
import { drivePicture, driveText } from "./rendering.ts";
import { drawTrack, type Track } from "./track.ts";

/** Directions of the rays, from the right to the left. */
const rays = Array.from({ length: 11 }, (_, i) => ((i - 5) * Math.PI) / 10);
/** Maximum ray length in metres. */
const reach = 50;
/** Distance from the road, in metres, at which the episode ends. */
const lost = 30;
/** Total reward of all tiles, and cost of a step. */
const [lapPay, stepCost] = [1000, 0.1];
/** Fraction of tiles after which the start line completes the lap. */
const enough = 0.95;

/** Labels of observations without images. */
const seen = [
  ...rays.map((_, i) => `ray ${i + 1}`),
  ...["speed ahead", "speed sideways", "spin", "wheel angle", "wheels on the road"],
];

/** Options of a drive. */
export interface DrivingOptions extends BatchedOptions {
  /** Images from above instead of rays and speeds. */
  readonly pixels?: boolean;
  /** Five actions instead of steering and pedals: nothing, left, right, gas, brake. */
  readonly discrete?: boolean;
}

/**
 * Drive one lap on a closed road that is new in each episode. An action is the steering (left is positive) and the
 * pedal (gas above 0, brake below). Observations are eleven rays to the edges of the road, the speeds along and
 * across the car, its spin, the wheel angle and the number of wheels on the road; or an image of the surroundings.
 * Each new tile of the road has its share of a total reward of 1000, each step costs 0.1, and leaving the road too
 * far costs 100.
 */
export function driving(options: DrivingOptions = {}): VectorEnv {
  const { pixels = false, discrete: choices = false } = options;
  const low = [...rays.map(() => 0), -2, -2, -2, -1, 0];
  const high = [...rays.map(() => 1), 2, 2, 2, 1, 1];
  const spec: EnvSpec = {
    id: "Driving-v0",
    observation: pixels ? image(viewSize, viewSize, 3) : box([low.length], low, high),
    action: choices ? discrete(5) : box([2], -1, 1),
    labels: {
      ...(pixels ? {} : { observation: seen }),
      action: choices ? ["nothing", "left", "right", "gas", "brake"] : ["steering", "pedal"],
    },
    maxSteps: 1000,
    solvedAt: 900,
  };
  const begin = (random: Generator) => new Drive(random, pixels, choices);
  return new SceneEnv(spec, { ...options, parameters: {}, begin });
}

/** One episode of driving. */
class Drive implements Scene {
  reward = 0;
  over = false;
  readonly track: Track;
  readonly car: Car;
  /** 1 for each visited tile. */
  readonly visited: Uint8Array;
  private readonly choices: boolean;
  private readonly sight: Rays;
  private readonly map: RoadMap | undefined;
  private readonly controls = { steer: 0, gas: 0, brake: 0 };
  private count = 1;

  constructor(random: Generator, pixels: boolean, choices: boolean) {
    this.track = drawTrack(random);
    this.car = new Car(this.track);
    this.sight = new Rays(this.track, reach);
    this.visited = new Uint8Array(this.track.tiles);
    this.visited[0] = 1;
    this.choices = choices;
    if (pixels) this.map = roadMap(this.track);
  }

  act(action: Float32Array, at: number): void {
    const { car, track, controls } = this;
    this.control(action, at);
    car.drive(controls);
    const { tile } = car;
    this.reward = -stepCost;
    if (car.onRoad && !this.visited[tile]) {
      this.visited[tile] = 1;
      this.count++;
      this.reward += lapPay / track.tiles;
    }
    const home = tile === 0 && this.count >= enough * track.tiles;
    if (home || this.count === track.tiles) this.over = true;
    if ((car.x - track.x[tile]) ** 2 + (car.y - track.y[tile]) ** 2 > lost * lost) {
      this.over = true;
      this.reward = -100;
    }
  }

  private control(action: Float32Array, at: number): void {
    const { controls } = this;
    const first = action[at];
    if (this.choices) {
      controls.steer = first === 1 ? 0.6 : first === 2 ? -0.6 : 0;
      controls.gas = first === 3 ? 0.6 : 0;
      controls.brake = first === 4 ? 0.8 : 0;
      return;
    }
    const pedal = Math.max(-1, Math.min(1, action[at + 1]));
    controls.steer = Math.max(-1, Math.min(1, first));
    controls.gas = Math.max(0, pedal);
    controls.brake = Math.max(0, -pedal);
  }

  observe(out: Column, at: number): void {
    const { car, sight, map } = this;
    if (map) return pixels(map, car, out, at);
    sight.from(car.x, car.y);
    rays.forEach((ray, i) => {
      out[at + i] = sight.length(car.angle + ray) / reach;
    });
    const rest = at + rays.length;
    out[rest] = within2(car.forward / 20);
    out[rest + 1] = within2(car.sideways / 20);
    out[rest + 2] = within2(car.spin / 2);
    out[rest + 3] = car.steered / steerMost;
    out[rest + 4] = car.onRoad / 4;
  }

  picture(): Rendering {
    return drivePicture(this);
  }

  render(): string {
    return driveText(this);
  }
}

const within2 = (x: number) => Math.max(-2, Math.min(2, x));

/**
 * A hand-written driver for `Driving-v0` with rays: it steers towards the open road, as fast as it can still
 * brake. It scores about 900 points per lap.
 */
export function drivingHeuristic(observation: ArrayLike<number>): [steer: number, pedal: number] {
  let [sum, weights] = [0, 0];
  rays.forEach((ray, i) => {
    const weight = observation[i] ** 3;
    sum += weight * ray;
    weights += weight;
  });
  const aim = weights > 0 ? sum / weights : 0;
  const speed = 20 * observation[rays.length];
  const ahead = reach * Math.max(observation[4], observation[5], observation[6]);
  const wanted = Math.sqrt(2 * 4 * Math.max(2, ahead - 4));
  return [
    Math.max(-1, Math.min(1, 2.5 * aim - 0.3 * observation[rays.length + 2])),
    Math.max(-1, Math.min(1, 0.3 * (Math.min(wanted, 24) - speed))),
  ];
}
