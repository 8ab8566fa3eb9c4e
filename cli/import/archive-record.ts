import type { SelectionRequest } from '../../server/backup/selection.js'
import type { Brings, ImportRecord } from '../import-runner/import-record.js'
import type { Renames } from './archive-renames.js'
import type { LeftOut } from './left-out.js'

/** The progress of importing an archive. `_id` is the checksum of the archive's content. */
export type ArchiveRecord = ImportRecord &
  Readonly<{
    stage: 'clearing' | 'writing' | 'finishing' | 'done'
    /** The requested selection of the archive. */
    asked: SelectionRequest
    /** In stage `writing`: the number of the last written member. */
    at: number
    /** uids of definitions that the database did not have before the import. */
    definitions: readonly string[]
    brings: Brings
    /** Types and attributes that have another name in this project than in the archive. */
    renames: Renames
    /**
     * In stage `done`: the versions that were not imported. `byType` has their number for each type. `drafts` is how
     * many of them became drafts. `first` describes the first ones. Absent if all versions were imported.
     */
    leftOut?: Readonly<{
      byType: Readonly<Record<string, number>>
      drafts: number
      first: readonly LeftOut[]
    }>
  }>
