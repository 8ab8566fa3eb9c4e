import type { AbstractCursor, MongoClient } from 'mongodb'
import type { SentCommand, Timeline } from '../timeline.js'
import { beginCommand } from '../timeline.js'
import { commandKind } from './written-documents.js'

/**
 * The key under which a command's options contain the timelines that record the command. The driver passes the options
 * on to the connection.
 */
const sentFor = Symbol('sent for')

/** Options for a method of the driver, so that its command is recorded in timelines. */
export type SentFor = Readonly<{ [sentFor]?: readonly Timeline[] }>

const nobody: SentFor = Object.freeze({})

/** Returns options that record a command in the timelines of the requests that wait for it. */
export function forTimelines(timelines: readonly Timeline[]): SentFor {
  return timelines.length === 0 ? nobody : { [sentFor]: timelines }
}

/**
 * Records all commands of a cursor in the timelines. Stores them in the cursor's own options, because `getMore` gets no
 * others.
 */
export function markCursor(cursor: AbstractCursor<unknown>, options: SentFor): void {
  if (options[sentFor] === undefined) return
  const { cursorOptions } = cursor as unknown as { cursorOptions?: object }
  Object.assign(cursorOptions ?? {}, options)
}

/** Called once for each command of a client, after it has finished. */
export type CommandObserver = (command: SentCommand) => void

/** The observer of a client's commands, shared by all its connections. */
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
 * Timelines of commands in flight that were sent by `db.command`, which does not pass on options that the driver does
 * not know. A symbol in the command object would slow down copying it, and a `WeakMap` would slow down each garbage
 * collection.
 */
const commands = new Map<object, readonly Timeline[]>()

/** Records a command in the timelines. `run` sends the command with `db.command`. */
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
 * Records all commands of a session in the timelines. Uses the session, because `commitTransaction` accepts no unknown
 * options.
 */
export function markSession(session: object, timelines: readonly Timeline[]): void {
  if (timelines.length > 0) sessions.set(session, timelines)
}

function collectionIn(command: Readonly<Record<string, unknown>>, kind: string): string {
  const named = command[kind]
  if (typeof named === 'string') return named
  return kind === 'getMore' ? String(command['collection']) : ''
}
