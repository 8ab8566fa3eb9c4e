import { preciseNow } from './monotonic-now.js'

/**
 * The stages of a request, roughly in chronological order (ARCHITECTURE.md), described for operators. `thread` includes
 * `execute` and `shape` of the same read. `read-back` includes the stages of the read for a write's response.
 */
export const stages = {
  receive: 'the body arrives and is parsed',
  authorize: 'authentication and authorization',
  password: 'a password is compared with a hash',
  files: 'uploaded files are stored, and smaller versions of pictures created',
  parse: 'the query string becomes a tree',
  resolve: 'the tree is checked against the schema and the permissions of the caller',
  plan: 'the database commands and their estimated cost',
  wait: 'waiting in a queue of reads or writes',
  thread: 'in the pool: starting a thread, reading, and the way back',
  execute: 'pipelines are built and run in the database',
  shape: 'documents become the bytes of the answer',
  body: 'the keys of a body are read',
  queue: 'waiting for other writes of the same document',
  'look-up': 'the versions of a document, and what its body refers to',
  rules: 'validation, unique values among it',
  change: 'the changes are computed',
  steps: 'the steps of a write',
  commit: 'the commit of a transaction',
  'read-back': 'the written document is read for the response',
  send: 'the response is sent to the client',
} as const

export type StageName = keyof typeof stages

/** `from` and `to` are times of `preciseNow`. A stage without `to` is running or was abandoned. */
export type Stage = Readonly<{ name: StageName; from: number; to: number | undefined }>

/** A database command sent for a request. */
export type SentCommand = Readonly<{
  /** Such as `find`, `insert` or `commitTransaction`. */
  kind: string
  /** Empty if the command does not name a collection. */
  collection: string
  from: number
  to: number | undefined
  failed: boolean
}>

/**
 * The times of a request's stages and commands, for metrics, spans, `Server-Timing` and the log of slow requests. Plain
 * data, so that a worker thread can return it. If all its uses are disabled, requests have no timeline.
 */
export type Timeline = {
  readonly stages: Stage[]
  readonly commands: SentCommand[]
  /** Number of further commands, which are not recorded. */
  moreCommands: number
  /** The latest `ReadPlan`. */
  plan?: object
}

/** Limits of a timeline, because a request may send hundreds of commands and repeat its stages. */
const maxCommands = 200
const maxStages = 100

export const createTimeline = (): Timeline => ({ stages: [], commands: [], moreCommands: 0 })

/** Starts a stage. The returned function ends it. */
export function beginStage(timeline: Timeline | undefined, name: StageName): () => void {
  const stage = addStage(timeline, name)
  return stage === undefined ? nothing : () => endStage(stage)
}

/** The stage ends when the promise that `run` returns settles. */
export function inStage<T>(
  timeline: Timeline | undefined,
  name: StageName,
  run: () => Promise<T>,
): Promise<T> {
  if (timeline === undefined) return run()
  const end = beginStage(timeline, name)
  const result = run()
  // The promise that `finally` returns would settle later than `result`.
  void result.then(end, end)
  return result
}

/** Runs a synchronous stage. */
export function inStageNow<T>(timeline: Timeline | undefined, name: StageName, run: () => T): T {
  const stage = addStage(timeline, name)
  try {
    return run()
  } finally {
    endStage(stage)
  }
}

/** Records a command in the timelines of all requests that wait for it. The returned function records its end. */
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

/** Adds what another thread has recorded for the same request. */
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
