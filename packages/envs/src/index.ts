/** `@reins/envs`: vectorised environments, by name; wrappers; an environment checker. */
export * from "./bandits.ts";
export { BatchedEnv, type BatchedOptions, type ContextSource, type TracedOption } from "./batch-form.ts";
export * from "./bonuses/index.ts";
export { type BipedalWalkerOptions, bipedalWalker } from "./box2d/bipedal-walker.ts";
export { type LunarLanderOptions, lunarLander } from "./box2d/lunar-lander.ts";
export { continuousLanderHeuristic, landerHeuristic, walkerHeuristic } from "./box2d/players.ts";
export { usePlanck } from "./box2d/use-planck.ts";
export { Cache, type CachedObject } from "./caching/cache.ts";
export { type EvictionRule, evictionCandidate, evictionRules, gdsf } from "./caching/classical.ts";
export {
  candidateFeatures,
  type EvictionRecordOptions,
  evictionSpec,
  nextRequests,
  recordEvictions,
} from "./caching/evictions.ts";
export { type AccessLog, type WebLogOptions, webLog } from "./caching/web-log.ts";
export { Canvas } from "./canvas.ts";
export * from "./cascading/index.ts";
export * from "./chain.ts";
export * from "./check/index.ts";
export { Acrobot } from "./classic/acrobot.ts";
export { CartPole, type CartPoleOptions } from "./classic/cartpole.ts";
export { MountainCar, type MountainCarOptions } from "./classic/mountain-car.ts";
export { MountainCarContinuous } from "./classic/mountain-car-continuous.ts";
export { Pendulum } from "./classic/pendulum.ts";
export type { ContextCounts, ContextOptions, ContextRanges } from "./contextual/contexts.ts";
export type { ContextualOptions } from "./contextual/contextual.ts";
export * from "./contextual-bandit.ts";
export * from "./coverage/index.ts";
export { type StagHuntOptions, stagHuntRing } from "./dilemmas/stag-hunt-ring.ts";
export { type DrivingOptions, driving, drivingHeuristic } from "./driving/driving.ts";
export * from "./former-names.ts";
export { Catch, type CatchOptions } from "./games/catch.ts";
export { type CatchFeatures, type CatchSightOptions, catchFeatures } from "./games/catch-sight.ts";
export { Chess, type ChessOptions } from "./games/chess/chess.ts";
export { useChess } from "./games/chess/rules.ts";
export { ConnectFour, type ConnectFourOptions } from "./games/connect-four.ts";
export { Game2048, type Game2048Options } from "./games/game-2048.ts";
export { Snake, type SnakeOptions } from "./games/snake.ts";
export { Tetris, type TetrisOptions } from "./games/tetris.ts";
export { type BitFlipOptions, bitFlip, tracedBitFlip } from "./goals/bit-flip.ts";
export { gridSymbols } from "./grid-worlds/grid-symbols.ts";
export { GridWorld, type GridWorldOptions } from "./grid-worlds/grid-world.ts";
export { Level, type LevelGenerator } from "./grid-worlds/level.ts";
export type { LevelCounts, LevelSplit } from "./grid-worlds/level-set.ts";
export type { GridWorldDefinition, GridWorldTask } from "./grid-worlds/world.ts";
export * from "./guessing/index.ts";
export { poissonDemand } from "./inventory/demand.ts";
export {
  type DemandTraces,
  type InventoryOptions,
  type InventoryState,
  inventory,
} from "./inventory/inventory.ts";
export { type LostSalesOptions, lostSalesOptimum } from "./inventory/optimum.ts";
export { Ballet, type BalletOptions } from "./memory/ballet.ts";
export { DarkRoom, type DarkRoomOptions, darkRoomActions } from "./memory/dark-room.ts";
export { EndlessTMaze, type EndlessTMazeOptions } from "./memory/endless-t-maze.ts";
export { MemoryCorridor, type MemoryCorridorOptions } from "./memory/memory-corridor.ts";
export { PairRecall, type PairRecallOptions } from "./memory/pair-recall.ts";
export { RepeatCopy, type RepeatCopyOptions } from "./memory/repeat-copy.ts";
export { TMaze, type TMazeOptions } from "./memory/t-maze.ts";
export { Asterix } from "./minatar/asterix.ts";
export { Breakout } from "./minatar/breakout.ts";
export { Freeway } from "./minatar/freeway.ts";
export type { DifficultyOptions, MinAtarOptions } from "./minatar/game.ts";
export { Seaquest } from "./minatar/seaquest.ts";
export { SpaceInvaders } from "./minatar/space-invaders.ts";
export { loadMujoco } from "./mujoco/engine.ts";
export { MujocoEnv } from "./mujoco/mujoco-env.ts";
export type { MujocoTask } from "./mujoco/task.ts";
export * from "./physics/index.ts";
export {
  type BuiltinId,
  describeEnv,
  type EnvEntry,
  envOptions,
  ids,
  loadEnv,
  type MakeOptions,
  make,
  makeSingle,
  register,
  source,
  unknownEnv,
} from "./registry.ts";
export * from "./tabular/index.ts";
export { Blackjack, type BlackjackOptions } from "./toy/blackjack.ts";
export { type CliffWalkingOptions, cliffWalking, cliffWalkingModel } from "./toy/cliff-walking.ts";
export { Crowd, type CrowdOptions, crowd } from "./toy/crowd.ts";
export { type FrozenLakeOptions, frozenLake, frozenLakeModel } from "./toy/frozen-lake.ts";
export {
  type FruitLayout,
  type FruitModel,
  type FruitOptions,
  fruitCollectionModel,
  randomFruitLayout,
} from "./toy/fruit-collection.ts";
export { type KeyDoorOptions, keyDoorModel } from "./toy/key-door.ts";
export { MazeField, type MazeFieldOptions, mazeField } from "./toy/maze-field.ts";
export { type Maze, mazeSet, randomMaze } from "./toy/maze-levels.ts";
export { MossField, type MossFieldOptions, mossField } from "./toy/moss-field.ts";
export {
  type MossLevel,
  mossLevel,
  mossLevelFromLogits,
  mossLevelToRow,
  mutateMossLevel,
} from "./toy/moss-levels.ts";
export {
  type AdversarialCliff,
  type AdversarialCliffOptions,
  adversarialCliff,
  type PushPolicy,
} from "./toy/pushed-cliff.ts";
export { ShiftingField, type ShiftingFieldOptions, shiftingField } from "./toy/shifting-field.ts";
export { SkillField, type SkillFieldOptions } from "./toy/skill-field.ts";
export { type TaxiOptions, taxi, taxiModel } from "./toy/taxi.ts";
export { type RotatedFieldOptions, rotatedFieldModel } from "./toy/turned-field.ts";
export { type TwoGoalsOptions, twoGoalsModel } from "./toy/two-goals.ts";
export {
  type AcrobotParams,
  type AcrobotState,
  acrobotParams,
  tracedAcrobot,
} from "./traced-envs/acrobot.ts";
export { type CartPoleParams, cartPoleParams, tracedCartPole } from "./traced-envs/cart-pole.ts";
export {
  type CarState,
  type MountainCarContinuousParams,
  type MountainCarParams,
  mountainCarContinuousParams,
  mountainCarParams,
  tracedMountainCar,
  tracedMountainCarContinuous,
} from "./traced-envs/mountain-car.ts";
export {
  type PendulumParams,
  type PendulumState,
  pendulumParams,
  tracedPendulum,
} from "./traced-envs/pendulum.ts";
export * from "./wrappers/index.ts";
