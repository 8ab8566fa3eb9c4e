import type { AbstractCursor, MongoClient } from 'mongodb'
import type { SentCommand, Timeline } from '../timeline.js'
import { beginCommand } from '../timeline.js'

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
export type Observed = { observe?: CommandObserver }

const observers = new WeakMap<MongoClient, Observed>()

/** To be called once for a client, before its first command. */
export function observeCommands(client: MongoClient, observe: CommandObserver): void {
  const place = observers.get(client)
  if (place !== undefined) place.observe = observe
}

export const letObserve = (client: MongoClient, observed: Observed): void =>
  void observers.set(client, observed)

type Options = SentFor & Readonly<{ session?: object }>

/** Sends a command, and tells whoever wants to know. */
export function tellOf<T>(
  { observe }: Observed,
  command: Readonly<Record<string, unknown>>,
  options: Options | undefined,
  send: () => Promise<T>,
): Promise<T> {
  const timelines = options?.[sentFor] ?? sessions.get(options?.session ?? noSession)
  if (observe === undefined && timelines === undefined) return send()
  const kind = kindOf(command)
  const end = beginCommand(timelines ?? [], kind, collectionIn(command, kind))
  const ended = (failed: boolean): void => {
    const sent = end(failed)
    observe?.(sent)
  }
  return send().then(
    (answer) => {
      ended(false)
      return answer
    },
    (error: unknown) => {
      ended(true)
      throw error
    },
  )
}

const noSession = {}
const sessions = new WeakMap<object, readonly Timeline[]>()

/** All commands of a session are for these: its commit too, which takes no options of ours. */
export function markSession(session: object, timelines: readonly Timeline[]): void {
  if (timelines.length > 0) sessions.set(session, timelines)
}

/** The first key of a command is its name. */
function kindOf(command: Readonly<Record<string, unknown>>): string {
  for (const key in command) return key
  return ''
}

function collectionIn(command: Readonly<Record<string, unknown>>, kind: string): string {
  const named = command[kind]
  if (typeof named === 'string') return named
  return kind === 'getMore' ? String(command['collection']) : ''
}
