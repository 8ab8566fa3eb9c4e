import type { RecordedIndex } from '../../engine/database/recorded-indexes.js'
import { isMade, isWanted } from '../../engine/database/recorded-indexes.js'
import { isIndexable } from '../../engine/schema/indexable-paths.js'
import { definedIndexes } from '../../engine/schema/index-list.js'
import { typeOfCollection, type Registry } from '../../engine/schema/registry.js'
import type { Settings } from '../settings/settings.js'
import type { Weigher } from './weigh-demands.js'

/**
 * What to do with an index, and why. `record` is the record to store, except for `make` and `fail`, where `carryOut`
 * also sets the state, and for `drop` and `forget`, where it is the stored record.
 *
 * - `make`: build the index
 * - `advise`: recommend it for the first time
 * - `update`: change only its record
 * - `fail`: try no more builds for a day
 * - `drop`: drop it; `forget`: delete only its record
 */
export type Decision = Readonly<
  { record: RecordedIndex } & (
    | { act: 'make' | 'advise' | 'update' | 'forget' }
    | { act: 'fail'; why: string }
    | { act: 'drop'; why: keyof typeof dropReasons }
  )
>

export const dropReasons = {
  unused: 'it was not used for a long time',
  superseded: 'another index serves its queries',
  forbidden: 'an admin forbade it',
  definitions: 'its attributes are no longer in the definitions',
} as const

export type IndexSettings = Pick<
  Settings,
  'indexes.auto' | 'indexes.perCollection' | 'indexes.maxBytes' | 'indexes.unusedDays'
>

type Situation = Readonly<{
  records: readonly RecordedIndex[]
  registry: Registry
  settings: IndexSettings
  /** Whether indexes may be built at the moment. */
  canBuild: boolean
  weigher: Weigher
  /** Returns the names of a collection's existing indexes. */
  namesIn: (collection: string) => Promise<readonly (string | undefined)[]>
  now: number
}>

const dayMs = 86_400_000
/** MongoDB allows 64 indexes per collection. Eight of them are reserved for future definitions. */
const mostOfCollection = 64 - 8
/** Maximum number of builds of an index. If the last one does not finish either, the index counts as failed. */
const mostAttempts = 3
/**
 * Milliseconds after which the record of a failed or only recommended index is deleted. After that, the index can be
 * tried again.
 */
const forgottenMs = dayMs
/** Minimum milliseconds between two updates of a recommendation. */
const advisedMs = 600_000
/** Maximum number of recommended indexes to record. */
const mostAdvised = 50

/** Returns the next thing to do with the automatic indexes; undefined if there is nothing to do now. */
export async function decideNext(situation: Situation): Promise<Decision | undefined> {
  return (
    (await decideRemoval(situation)) ??
    (await decideRebuild(situation)) ??
    (await decideNew(situation))
  )
}

/** Decides whether to drop an index that is no longer needed or allowed, or to delete the record of an unbuilt one. */
async function decideRemoval(situation: Situation): Promise<Decision | undefined> {
  const { records, registry, settings, weigher, now } = situation
  for (const record of records) {
    const { collection, state, choice, failedAt, advisedAt } = record
    const isTried = state === 'made' || state === 'building'
    if (choice === null && !isTried && now - (failedAt ?? advisedAt).getTime() > forgottenMs)
      return { act: 'forget', record }
    // If this process has older definitions than the record's, it cannot tell whether the index is still needed.
    if (record.version <= registry.version) {
      const type = typeOfCollection(registry, collection)
      if (type === undefined || !isIndexable(record.fields, type, registry))
        return state === 'advised'
          ? { act: 'forget', record }
          : { act: 'drop', record, why: 'definitions' }
      // An index that a definition now declares is no longer automatic.
      if (definedIndexes(type, collection).some(({ name }) => name === record.name))
        return { act: 'forget', record }
    }
    if (choice === 'forbidden' && state !== 'advised')
      return { act: 'drop', record, why: 'forbidden' }
    if (settings['indexes.auto'] !== 'on' || choice !== null || !isMade(record)) continue
    if (record.idleMs >= settings['indexes.unusedDays'] * dayMs)
      return { act: 'drop', record, why: 'unused' }
    if (isExtended(record, records) && (await weigher.isSuperseded(record)))
      return { act: 'drop', record, why: 'superseded' }
  }
  return undefined
}

/** Decides about indexes to build again: interrupted builds, lost indexes, and indexes that an admin has pinned. */
async function decideRebuild(situation: Situation): Promise<Decision | undefined> {
  const { records, settings, canBuild, namesIn } = situation
  for (const record of canBuild ? records : []) {
    const { state, choice } = record
    if (choice === 'forbidden' || (choice === null && settings['indexes.auto'] !== 'on')) continue
    // An older version of Quire drops indexes that it does not know.
    const isLost = isMade(record) && !(await namesIn(record.collection)).includes(record.name)
    const isBegun = state === 'building' || isLost
    if (!isBegun && !(choice === 'pinned' && state === 'advised')) continue
    if (record.attempts >= mostAttempts)
      return { act: 'fail', record, why: 'It was started too often' }
    const failure = await shortageFor(record, situation)
    if (failure === undefined) return { act: 'make', record }
    if (choice === null) return { act: 'forget', record }
    if (failure !== record.failure)
      return { act: 'update', record: { ...record, state: 'advised', failure } }
  }
  return undefined
}

/** Decides whether to build or recommend an index that the observed queries justify. */
async function decideNew(situation: Situation): Promise<Decision | undefined> {
  const { records, settings, canBuild, weigher, now } = situation
  const isFull = records.filter(({ state }) => state === 'advised').length >= mostAdvised
  for (const advice of await weigher.weigh(records)) {
    const known = records.find(({ _id }) => _id === advice._id)
    const failure = await shortageFor(advice, situation)
    const fresh = { state: 'advised', choice: null, attempts: 0 } as const
    const record = { ...fresh, ...known, ...advice, failure }
    if (settings['indexes.auto'] === 'on' && canBuild && failure === undefined)
      return { act: 'make', record }
    if (known === undefined && !isFull) return { act: 'advise', record }
    if (known !== undefined && now - known.advisedAt.getTime() >= advisedMs)
      return { act: 'update', record }
  }
  return undefined
}

/** Returns why the limits do not allow an index; undefined if they do. */
async function shortageFor(
  { _id, collection, bytes = 0 }: Pick<RecordedIndex, '_id' | 'collection' | 'bytes'>,
  { records, settings, namesIn }: Situation,
): Promise<string | undefined> {
  const others = records.filter((other) => isWanted(other) && other._id !== _id)
  const own = others.filter((other) => other.collection === collection).length
  if (own >= settings['indexes.perCollection'])
    return `${own} were created for this collection (indexes.perCollection)`
  const existing = (await namesIn(collection)).length
  if (existing >= mostOfCollection) return `the collection has ${existing} indexes`
  const size = others.reduce((sum, other) => sum + (other.bytes ?? 0), bytes)
  if (size > settings['indexes.maxBytes'])
    return `together with those that exist, it would take ${size} bytes (indexes.maxBytes)`
  return undefined
}

/** Whether another automatic index of the collection begins with the same fields and has more. */
function isExtended(record: RecordedIndex, records: readonly RecordedIndex[]): boolean {
  const fields = record.fields.filter((field) => field !== '_id')
  return records.some(
    (other) =>
      isMade(other) &&
      other.collection === record.collection &&
      other.fields.length > record.fields.length &&
      fields.every((field, at) => other.fields[at] === field),
  )
}
