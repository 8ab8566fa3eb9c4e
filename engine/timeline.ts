import { preciseNow } from './steady-now.js'

/**
 * The stages of a request, in about their order (ARCHITECTURE.md); the text is what an operator is told of each.
 * `thread` holds the `execute` and `shape` of the same read, `read-back` those of what a write answers.
 */
export const stages = {
  receive: 'the body arrives and is parsed',
  authorize: 'who calls, and whether they may',
  password: 'a password is compared with the hash of one',
  files: 'uploaded files are stored, and smaller versions of pictures drawn',
  parse: 'the query string becomes a tree',
  resolve: 'the tree is understood by the schema and what the caller may see',
  plan: 'what the database is asked, and what it is estimated to cost',
  wait: 'for a turn in a lane or among the writes',
  thread: 'in the pool: starting a thread, reading, and the way back',
  execute: 'pipelines are made and answered by the database',
  shape: 'documents become the bytes of the answer',
  body: 'the keys of a body are read',
  queue: 'for other writes of the same document',
  'look-up': 'the versions of a document, and what its body refers to',
  rules: 'validation, unique values among it',
  change: 'what is to be stored',
  steps: 'the steps of a write',
  commit: 'the commit of a transaction',
  'read-back': 'what was written is read for the answer',
  send: 'until the client has taken the answer',
} as const

export type StageName = keyof typeof stages

/** A part of a request, by `preciseNow`; without an end it goes on, or was given up. */
export type Stage = Readonly<{ name: StageName; from: number; to: number | undefined }>

/** A command that was sent to the database. */
export type SentCommand = Readonly<{
  /** `find`, `insert`, `commitTransaction` … */
  kind: string
  /** Empty for one that concerns none. */
  collection: string
  from: number
  to: number | undefined
  failed: boolean
}>

/**
 * What a request did when: plain data, so that what a thread did comes back with its answer. Metrics, spans,
 * `Server-Timing` and the log of slow requests are made of it. Where nobody asks there is none, and
 * nothing is measured.
 */
export type Timeline = {
  readonly stages: Stage[]
  readonly commands: SentCommand[]
  /** Commands beyond those that are kept. */
  moreCommands: number
  /** Of the latest read: its `ReadPlan`. */
  plan?: object
}

/** A request may send hundreds of commands, and repeat its stages. */
const maxCommands = 200
const maxStages = 100

export const createTimeline = (): Timeline => ({ stages: [], commands: [], moreCommands: 0 })

/** Begins a stage; what is returned ends it. */
export function beginStage(timeline: Timeline | undefined, name: StageName): () => void {
  const stage = addStage(timeline, name)
  return stage === undefined ? nothing : () => endStage(stage)
}

/** Runs a stage, which lasts until what it returns is settled. */
export function inStage<T>(
  timeline: Timeline | undefined,
  name: StageName,
  run: () => Promise<T>,
): Promise<T> {
  if (timeline === undefined) return run()
  const end = beginStage(timeline, name)
  const result = run()
  // Beside the result instead of behind it, as `finally` would be: who waits for it is not kept waiting.
  void result.then(end, end)
  return result
}

/** Runs a stage that waits for nothing. */
export function inStageNow<T>(timeline: Timeline | undefined, name: StageName, run: () => T): T {
  const stage = addStage(timeline, name)
  try {
    return run()
  } finally {
    endStage(stage)
  }
}

/** Notes a command that begins now, for all who wait for it; what is returned ends it. */
export function beginCommand(
  timelines: readonly Timeline[],
  kind: string,
  collection: string,
): (failed: boolean) => SentCommand {
  const from = preciseNow()
  const command = { kind, collection, from, to: undefined as number | undefined, failed: false }
  for (const timeline of timelines) addCommand(timeline, command)
  return (failed) => {
    command.to = preciseNow()
    command.failed = failed
    return command
  }
}

/** Adds what another thread did for the same request. */
export function mergeTimeline(into: Timeline | undefined, other: Timeline | undefined): void {
  if (into === undefined || other === undefined) return
  into.stages.push(...other.stages.slice(0, Math.max(0, maxStages - into.stages.length)))
  for (const command of other.commands) addCommand(into, command)
  into.moreCommands += other.moreCommands
}

type OpenStage = { name: StageName; from: number; to: number | undefined }

function addStage(timeline: Timeline | undefined, name: StageName): OpenStage | undefined {
  if (timeline === undefined || timeline.stages.length >= maxStages) return undefined
  const stage: OpenStage = { name, from: preciseNow(), to: undefined }
  timeline.stages.push(stage)
  return stage
}

function endStage(stage: OpenStage | undefined): void {
  if (stage !== undefined) stage.to ??= preciseNow()
}

function addCommand(timeline: Timeline, command: SentCommand): void {
  if (timeline.commands.length < maxCommands) timeline.commands.push(command)
  else timeline.moreCommands += 1
}

const nothing = (): void => undefined
