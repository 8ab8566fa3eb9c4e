import type { SelectionRequest } from '../../server/backup/selection.js'
import type { ReplacedData, ImportRecord } from '../import-runner/import-record.js'
import type { Renames } from './archive-renames.js'
import type { LeftOut } from './left-out.js'

/** The progress of importing an archive. `_id` is the checksum of the archive's content. */
export type ArchiveRecord = ImportRecord &
  Readonly<{
    stage: 'clearing' | 'writing' | 'finishing' | 'done'
    asked: SelectionRequest
    /** In stage `writing`: the position in the archive of the last imported file. */
    at: number
    definitions: readonly string[]
    brings: ReplacedData
    renames: Renames
    /**
     * In stage `done`: the number of omitted versions by type, how many of them exist as drafts, and the first ones.
     */
    leftOut?: Readonly<{
      byType: Readonly<Record<string, number>>
      drafts: number
      first: readonly LeftOut[]
    }>
  }>
