import type { SelectionRequest } from '../../server/backup/selection.js'
import type { Brings, ImportRecord } from '../import-runner/import-record.js'
import type { Renames } from './archive-renames.js'
import type { LeftOut } from './left-out.js'

/** The progress of the import of an archive. `_id` is the checksum of its content. */
export type ArchiveRecord = ImportRecord &
  Readonly<{
    stage: 'clearing' | 'writing' | 'finishing' | 'done'
    /** The requested parts of the archive. */
    asked: SelectionRequest
    /** In stage `writing`: the number of the last written member. */
    at: number
    /** uids of definitions that did not exist before. */
    definitions: readonly string[]
    brings: Brings
    /** Types and attributes whose names here differ from the archive. */
    renames: Renames
    /**
     * In stage `done`: how many versions of each type were not imported, how many of them became drafts, and the first
     * ones. Absent if all were imported.
     */
    leftOut?: Readonly<{
      byType: Readonly<Record<string, number>>
      drafts: number
      first: readonly LeftOut[]
    }>
  }>
