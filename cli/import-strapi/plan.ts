import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import type { Archive } from './archive/open-archive.js'
import type { Notes } from './notes.js'
import type { Overview } from './export-overview.js'

/** All that is known of an export before anything is written. */
export type Plan = Readonly<{
  archive: Archive
  overview: Overview
  /** What was said of it so far. */
  notes: Notes
  /** Of the project that was exported. */
  definitions: readonly SourcedDefinition[]
}>
