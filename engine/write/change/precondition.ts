import { fail } from '../../errors.js'
import type { ContentType } from '../../schema/content-type.js'
import type { Version, Versions } from './change.js'
import { versionIn } from './change.js'

/** The version that a conditional write addresses (docs/decisions.md, "Conditional writes"). */
export type Addressed = Readonly<{
  type: ContentType
  locale: string | null
  /** Whether the write addresses the published version, for a type with draft & publish. */
  publish: boolean
  /** As in `WriteContext`. */
  publishingMs?: number | undefined
}>

/**
 * Default for `publishingMs`, longer than the default time limit of a write. A publish that has taken longer was
 * interrupted.
 */
const usualMs = 30_000

/**
 * Checks `If-Match` against the versions as read. The draft is written before the published version, so it shows
 * whether the published version is about to change. A publish (`_publishing`) or an unpublish (`_unpublishedFrom`) is
 * in flight if the published version does not reflect it yet. Of several writes with the same `ifRevision`, only the
 * first that writes the draft as read succeeds.
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
