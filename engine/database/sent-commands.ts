import type { AbstractCursor, MongoClient } from 'mongodb'
import type { SentCommand, Timeline } from '../timeline.js'
import { beginCommand } from '../timeline.js'
import { commandKind } from './written-documents.js'

/**
 * Key in the options of a command. It holds the timelines of the command's requests, and the driver passes it on to the
 * connection.
 */
const sentFor = Symbol('sent for')

/** Options to spread into those of a driver's method. */
export type SentFor = Readonly<{ [sentFor]?: readonly Timeline[] }>

const nobody: SentFor = Object.freeze({})

/** Returns options that record a command in the timelines of the requests that wait for it. */
export function forTimelines(timelines: readonly Timeline[]): SentFor {
  return timelines.length === 0 ? nobody : { [sentFor]: timelines }
}

/** Marks a cursor, because the driver does not pass on unknown options for its further batches. */
export function markCursor(cursor: AbstractCursor<unknown>, options: SentFor): void {
  if (options[sentFor] === undefined) return
  const { cursorOptions } = cursor as unknown as { cursorOptions?: object }
  Object.assign(cursorOptions ?? {}, options)
}

/** Called for every command of a client when it has ended. */
export type CommandObserver = (command: SentCommand) => void

/** Holds the observer for the connections of a client. */
export type Observed = { observe?: CommandObserver | undefined }

const observers = new WeakMap<MongoClient, Observed>()

/** Sets the observer of all further commands of a client; undefined: none. */
export function observeCommands(client: MongoClient, observe: CommandObserver | undefined): void {
  const place = observers.get(client)
  if (place !== undefined) place.observe = observe
}

export const letObserve = (client: MongoClient, observed: Observed): void =>
  void observers.set(client, observed)

/**
 * Timelines of commands sent by `db.command`. For such commands, the driver passes on the command object, but not
 * unknown options. A further key in the command would cost more than the rest of the measurement, because objects with
 * symbols are copied slowly. A `WeakMap` would slow down each garbage collection.
 */
const commands = new Map<object, readonly Timeline[]>()

/** Marks a command of `db.command` until `run` ends. */
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

/** Sends a command, and reports it to the observer and the timelines. */
export function observeCommand<T>(
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

/** Marks all commands of a session, including its commit, which accepts no unknown options. */
export function markSession(session: object, timelines: readonly Timeline[]): void {
  if (timelines.length > 0) sessions.set(session, timelines)
}

function collectionIn(command: Readonly<Record<string, unknown>>, kind: string): string {
  const named = command[kind]
  if (typeof named === 'string') return named
  return kind === 'getMore' ? String(command['collection']) : ''
}
