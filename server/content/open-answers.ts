import type { Db } from 'mongodb'
import { versionsOf } from '../../engine/database/collection-versions.js'
import type { Signals } from '../signals/signals.js'
import type { Settings } from '../settings/settings.js'
import { createAnswerMemory, type AnswerMemory } from './answer-memory.js'

type Parts = Readonly<{
  db: Db
  /** Whether no other process can use the database. */
  singleProcess: boolean
  /** The lock of `database.exclusive`; undefined if the setting is off. */
  exclusive: Readonly<{ isHeld: () => boolean }> | undefined
  signals: Signals
}>

/**
 * Opens the response cache. Returns undefined if the settings disable it, or if this process could miss writes of other
 * processes.
 */
export function openAnswers(
  settings: Settings,
  { db, singleProcess, exclusive, signals }: Parts,
): AnswerMemory | undefined {
  const maxBytes = settings['cache.answers']
  const versions = versionsOf(db.client)
  if (maxBytes === 0 || versions === undefined) return undefined
  // Wait at most half of a read's time limit, so that the request can still read the response itself.
  const waitTimeoutMs = settings['api.rest.queryTimeoutMs'] / 2
  const about = { maxBytes, versions, waitTimeoutMs }
  if (singleProcess) return createAnswerMemory({ ...about, isExact: () => true })
  if (exclusive !== undefined) return createAnswerMemory({ ...about, isExact: exclusive.isHeld })
  if (!mayBeStale(settings)) return undefined
  // Whether the last message of the change stream is recent. If so, `versions` includes all writes acknowledged before
  // that message.
  const isCurrent = (): boolean =>
    (signals.figures().lastHeartbeatAgoMs ?? Infinity) <= settings['cache.maxStaleMs']
  return createAnswerMemory({ ...about, isExact: isCurrent, areOthers: true })
}

/** Returns whether the settings allow cached responses without the latest writes of other instances. */
export const mayBeStale = (settings: Settings): boolean =>
  settings['cache.answers'] > 0 &&
  settings['cache.maxStaleMs'] > 0 &&
  !settings['database.exclusive']
