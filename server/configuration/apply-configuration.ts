import type { Db } from 'mongodb'
import { withLease } from '../../engine/database/with-lease.js'
import { fail } from '../../engine/errors.js'
import type { Writer } from '../accounts/caller.js'
import type { Change } from './compare.js'
import { findDifference, type Difference } from './configuration.js'
import type { Subject, SubjectName, SubjectWriter } from './subject.js'

export type Application = Readonly<{
  db: Db
  /** Whether no other process can use this database. */
  singleProcess: boolean
  subjects: readonly Subject[]
  writers: Readonly<Record<SubjectName, SubjectWriter>>
}>

type ApplyRequest = Readonly<{
  given: unknown
  prune: boolean
  by: Writer
  /**
   * Digest of the difference that the client has seen. If the current difference has another digest, nothing is
   * applied.
   */
  shown?: string | undefined
  made?: (change: Change) => void
}>

/** Milliseconds to wait for another process that applies a configuration. Applying one takes less. */
const waitTimeoutMs = 60_000

/**
 * Makes the stored state match a configuration, in one process at a time. Checks all changes before making the first.
 * If interrupted, call it again to make the rest. Throws ApiError `validation` as `findDifference` does, `application`
 * if the difference is not the one shown, `unavailable` if another process keeps applying a configuration.
 */
export async function applyConfiguration(
  { db, singleProcess, subjects, writers }: Application,
  { given, prune, by, shown, made }: ApplyRequest,
): Promise<Difference> {
  const deadline = performance.now() + waitTimeoutMs
  // If the lease is lost, `check` below throws before the next change, so `lost` need not do anything.
  const lease = {
    db,
    collection: '_settings',
    _id: 'configuration',
    singleProcess,
    lost: () => undefined,
  }
  by.time?.hold()
  return withLease(
    lease,
    async (check) => {
      const difference = await findDifference(subjects, given, prune)
      if (shown !== undefined && shown !== difference.digest)
        throw fail('application', 'The difference has changed since it was shown. Check it again')
      for (const change of difference.changes) {
        await check()
        await makeChange(writers[change.subject], change, by)
        made?.(change)
      }
      return difference
    },
    () => {
      by.time?.hold()
      if (performance.now() > deadline)
        throw fail('unavailable', 'Another configuration is being applied. Try again')
    },
  )
}

function makeChange(writer: SubjectWriter, change: Change, by: Writer): Promise<unknown> {
  const { id, kind, members } = change
  by.time?.begin()
  const item = Object.fromEntries(Object.entries(members).map(([name, { to }]) => [name, to]))
  switch (kind) {
    case 'create':
      return writer.create(id, item, by)
    case 'change':
      return writer.change(id, item, by)
    case 'remove':
      return writer.remove(id, by)
  }
}
