import type { AbstractCursor, MongoClient } from 'mongodb'
import type { SentCommand, Timeline } from '../timeline.js'
import { beginCommand } from '../timeline.js'
import { commandKind } from './written-documents.js'

/**
 * Key under which the options of a command contain the timelines of the requests that the command belongs to. The
 * driver passes the options on to the connection.
 */
const sentFor = Symbol('sent for')

/** Options to add to those of a driver's method, so that its command is recorded in timelines. */
export type SentFor = Readonly<{ [sentFor]?: readonly Timeline[] }>

const nobody: SentFor = Object.freeze({})

/** Returns options that record a command in the timelines of the requests that wait for the command. */
export function forTimelines(timelines: readonly Timeline[]): SentFor {
  return timelines.length === 0 ? nobody : { [sentFor]: timelines }
}

/**
 * Makes a cursor record all its commands in the timelines. The driver does not pass unknown options on to `getMore`, so
 * they are also added to the cursor's own options.
 */
export function markCursor(cursor: AbstractCursor<unknown>, options: SentFor): void {
  if (options[sentFor] === undefined) return
  const { cursorOptions } = cursor as unknown as { cursorOptions?: object }
  Object.assign(cursorOptions ?? {}, options)
}

/** Called once for each command that a client sends, after the command has finished. */
export type CommandObserver = (command: SentCommand) => void

/** The observer of a client's commands, in an object that all connections of the client share. */
export type Observed = { observe?: CommandObserver | undefined }

const observers = new WeakMap<MongoClient, Observed>()

/** Sets or removes the observer of a client's commands. */
export function observeCommands(client: MongoClient, observe: CommandObserver | undefined): void {
  const place = observers.get(client)
  if (place !== undefined) place.observe = observe
}

export const letObserve = (client: MongoClient, observed: Observed): void =>
  void observers.set(client, observed)

/**
 * Timelines of the commands in flight that were sent by `db.command`. For these commands, the driver passes on the
 * command object, but not unknown options. A symbol as key in the command would cost more than the rest of the
 * measurement, because objects with symbols are copied slowly. A `WeakMap` would slow down each garbage collection.
 */
const commands = new Map<object, readonly Timeline[]>()

/** Records a command sent by `db.command` in the timelines. `run` sends the command. */
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

/** Sends a command, and reports it to the observer and to the command's timelines. */
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

/**
 * Records all commands of a session in the timelines. The commit accepts no unknown options, so the session itself is
 * marked.
 */
export function markSession(session: object, timelines: readonly Timeline[]): void {
  if (timelines.length > 0) sessions.set(session, timelines)
}

function collectionIn(command: Readonly<Record<string, unknown>>, kind: string): string {
  const named = command[kind]
  if (typeof named === 'string') return named
  return kind === 'getMore' ? String(command['collection']) : ''
}
