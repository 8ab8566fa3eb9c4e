import type { SelectionRequest } from '../../server/backup/selection.js'
import type { ReplacedData, ImportRecord } from '../import-runner/import-record.js'
import type { Renames } from './archive-renames.js'
import type { LeftOut } from './left-out.js'

/** The progress of importing an archive. `_id` is the checksum of the archive's content. */
export type ArchiveRecord = ImportRecord &
  Readonly<{
    stage: 'clearing' | 'writing' | 'finishing' | 'done'
    /** The parts and types that the user asked to import. */
    asked: SelectionRequest
    /** In stage `writing`: the number of the last file of the archive that was imported. */
    at: number
    /** uids of definitions that the database did not have before the import. */
    definitions: readonly string[]
    brings: ReplacedData
    /** Types and attributes whose names in this project differ from those in the archive. */
    renames: Renames
    /**
     * In stage `done`: the versions that were not imported. `byType` contains their number for each type. `drafts` is
     * the number of them that exist as drafts. `first` describes the first ones. Absent if all versions were imported.
     */
    leftOut?: Readonly<{
      byType: Readonly<Record<string, number>>
      drafts: number
      first: readonly LeftOut[]
    }>
  }>
