import type { Db } from 'mongodb'
import { versionsOf } from '../../engine/database/collection-versions.js'
import type { Signals } from '../signals/signals.js'
import type { Settings } from '../settings/settings.js'
import { createAnswerMemory, type AnswerMemory } from './answer-memory.js'

type Parts = Readonly<{
  db: Db
  /** Whether no other process can use the database. */
  alone: boolean
  /** `database.exclusive`; undefined if it is off. */
  exclusive: Readonly<{ isHeld: () => boolean }> | undefined
  signals: Signals
}>

/**
 * Opens the cache of responses. Returns undefined if the settings disable it, or other processes may write unnoticed.
 */
export function openAnswers(
  settings: Settings,
  { db, alone, exclusive, signals }: Parts,
): AnswerMemory | undefined {
  const maxBytes = settings['cache.answers']
  const versions = versionsOf(db.client)
  if (maxBytes === 0 || versions === undefined) return undefined
  // Half of a read's time; the other half is left for a request that waited in vain.
  const waitTimeoutMs = settings['api.rest.queryTimeoutMs'] / 2
  const about = { maxBytes, versions, waitTimeoutMs }
  if (alone) return createAnswerMemory({ ...about, isExact: () => true })
  if (exclusive !== undefined) return createAnswerMemory({ ...about, isExact: exclusive.isHeld })
  if (!mayBeStale(settings)) return undefined
  // All writes that were acknowledged before then have raised their versions.
  const isCurrent = (): boolean =>
    (signals.figures().heardAgoMs ?? Infinity) <= settings['cache.maxStaleMs']
  return createAnswerMemory({ ...about, isExact: isCurrent, areOthers: true })
}

/** Whether responses may be older than what other instances have written. */
export const mayBeStale = (settings: Settings): boolean =>
  settings['cache.answers'] > 0 &&
  settings['cache.maxStaleMs'] > 0 &&
  !settings['database.exclusive']
