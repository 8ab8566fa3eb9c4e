import { fail } from '../../errors.js'
import type { ContentType } from '../../schema/content-type.js'
import type { Version, Versions } from './change.js'
import { versionIn } from './change.js'

/** Which version a conditional write is about (docs/decisions.md, "Conditional writes"). */
export type Addressed = Readonly<{
  type: ContentType
  locale: string | null
  /** Whether that is the published one, where the type has draft & publish. */
  publish: boolean
  /** As in `WriteContext`. */
  publishingMs?: number | undefined
}>

/** Longer than a write may take unless that is set: what was to be published before that was cut off. */
const usualMs = 30_000

/**
 * Checks `If-Match` against the versions as they were read. Of the published version the draft says whether
 * it is about to change: the draft is written first, so a publish (`_publishing`) or an unpublish
 * (`_unpublishedFrom`) that the published version does not show yet is under way. Whoever then writes the
 * draft as it was read is the only one who passes with this revision.
 * @throws ApiError 412
 */
export function checkPrecondition(
  { type, locale, publish, publishingMs = usualMs }: Addressed,
  versions: Versions,
  ifRevision: number | undefined,
): void {
  if (ifRevision === undefined) return
  const current = versionIn(versions.current, locale)
  const isPublished = type.draftAndPublish && publish
  const addressed = isPublished ? versionIn(versions.published, locale) : current
  const holds =
    current !== undefined &&
    addressed?._revision === ifRevision &&
    !(isPublished && isChanging(current, addressed, publishingMs))
  if (!holds) throw fail('precondition-failed')
}

function isChanging(draft: Version, published: Version, publishingMs: number): boolean {
  const shown = Number(published['_publishedFrom'] ?? 0)
  const unpublished = Number(draft['_unpublishedFrom'] ?? 0)
  const publishing = Number(draft['_publishing'] ?? 0)
  const isRecent = Math.abs(Date.now() - publishing) < publishingMs
  return (unpublished > 0 && unpublished >= shown) || (publishing > shown && isRecent)
}
