import type { AbstractCursor, MongoClient } from 'mongodb'
import type { SentCommand, Timeline } from '../timeline.js'
import { beginCommand } from '../timeline.js'
import { commandKind } from './command-kind.js'

/** Under this key the options of a command say for which requests it is sent; the driver hands it down to the connection. */
const sentFor = Symbol('sent for')

/** To be spread into the options of a driver's method. */
export type SentFor = Readonly<{ [sentFor]?: readonly Timeline[] }>

const nobody: SentFor = Object.freeze({})

/** Options that let a command be told of in the timelines of those who wait for it. */
export function forTimelines(timelines: readonly Timeline[]): SentFor {
  return timelines.length === 0 ? nobody : { [sentFor]: timelines }
}

/** Of the further batches of a cursor the driver hands on no options but its own. */
export function markCursor(cursor: AbstractCursor<unknown>, options: SentFor): void {
  if (options[sentFor] === undefined) return
  const { cursorOptions } = cursor as unknown as { cursorOptions?: object }
  Object.assign(cursorOptions ?? {}, options)
}

/** Who is told of every command of a client when it has ended, whoever it was sent for. */
export type CommandObserver = (command: SentCommand) => void

/** Where the connections of a client find who observes them. */
export type Observed = { observe?: CommandObserver | undefined }

const observers = new WeakMap<MongoClient, Observed>()

/** From now on all commands of a client are told to this one; undefined: to nobody. */
export function observeCommands(client: MongoClient, observe: CommandObserver | undefined): void {
  const place = observers.get(client)
  if (place !== undefined) place.observe = observe
}

export const letObserve = (client: MongoClient, observed: Observed): void =>
  void observers.set(client, observed)

/**
 * Of a command that it is given as it is sent, the driver hands on none but its own options, and the command itself. One
 * more key in it would cost more than the rest of what is measured: objects with symbols are copied slowly. And keys of
 * a `WeakMap` are looked after by each collection of garbage.
 */
const commands = new Map<object, readonly Timeline[]>()

/** The same for a command of `db.command`, as long as `run` takes. */
export function withMarked<T>(
  command: object,
  options: SentFor | undefined,
  run: () => Promise<T>,
): Promise<T> {
  const timelines = options?.[sentFor]
  return timelines === undefined ? run() : whileMarked(command, timelines, run)
}

async function whileMarked<T>(
  command: object,
  timelines: readonly Timeline[],
  run: () => Promise<T>,
): Promise<T> {
  commands.set(command, timelines)
  try {
    return await run()
  } finally {
    commands.delete(command)
  }
}

type Options = SentFor & Readonly<{ session?: object }>

/** Sends a command, and tells whoever wants to know. */
export function tellOf<T>(
  { observe }: Observed,
  command: Readonly<Record<string, unknown>>,
  options: Options | undefined,
  send: () => Promise<T>,
): Promise<T> {
  const timelines =
    options?.[sentFor] ?? commands.get(command) ?? sessions.get(options?.session ?? noSession)
  if (observe === undefined && timelines === undefined) return send()
  const kind = commandKind(command)
  const end = beginCommand(timelines ?? [], kind, collectionIn(command, kind))
  const ended = (failed: boolean): void => {
    const sent = end(failed)
    observe?.(sent)
  }
  const answer = send()
  void answer.then(
    () => ended(false),
    () => ended(true),
  )
  return answer
}

const noSession = {}
const sessions = new WeakMap<object, readonly Timeline[]>()

/** All commands of a session are for these: its commit too, which takes no options of ours. */
export function markSession(session: object, timelines: readonly Timeline[]): void {
  if (timelines.length > 0) sessions.set(session, timelines)
}

function collectionIn(command: Readonly<Record<string, unknown>>, kind: string): string {
  const named = command[kind]
  if (typeof named === 'string') return named
  return kind === 'getMore' ? String(command['collection']) : ''
}
