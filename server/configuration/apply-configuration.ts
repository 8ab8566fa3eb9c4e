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
  alone: boolean
  subjects: readonly Subject[]
  writers: Readonly<Record<SubjectName, SubjectWriter>>
}>

type ApplyRequest = Readonly<{
  given: unknown
  prune: boolean
  by: Writer
  /**
   * Digest of the difference that the client has seen. If the current difference has another digest, nothing is
   * applied. Without a digest, any difference is applied.
   */
  shown?: string | undefined
  /** Called after each change. */
  made?: (change: Change) => void
}>

/**
 * Maximum time to wait for another process that applies a configuration, in milliseconds. A service that applies one
 * when it starts takes less time.
 */
const waitTimeoutMs = 60_000

/**
 * Makes the stored state match a configuration. Only one process at a time does so, and it makes one change after the
 * other. Checks all changes before it makes the first one. If it is interrupted, call it again to make the remaining
 * changes.
 * @throws ApiError `validation` as `findDifference` does, `application` if the difference is not the one that was
 *   shown, `unavailable` if another process keeps applying a configuration
 */
export async function applyConfiguration(
  { db, alone, subjects, writers }: Application,
  { given, prune, by, shown, made }: ApplyRequest,
): Promise<Difference> {
  const deadline = performance.now() + waitTimeoutMs
  // `check` below throws before the next change if the lease was lost, so `lost` need not do anything.
  const lease = { db, collection: '_settings', _id: 'configuration', alone, lost: () => undefined }
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
