import { fail } from '../../errors.js'
import type { ContentType } from '../../schema/content-type.js'
import type { Version, Versions } from './change.js'
import { versionIn } from './change.js'

/** The version that `If-Match` refers to (docs/internals/decisions.md, "Conditional writes"). */
export type Addressed = Readonly<{
  type: ContentType
  locale: string | null
  /** If true, and if the type has draft & publish, `If-Match` refers to the published version. */
  publish: boolean
  /** See `WriteContext`. */
  publishingMs?: number | undefined
}>

/**
 * Milliseconds after which a publish in flight counts as interrupted. Longer than the default time limit of a write.
 */
const usualMs = 30_000

/**
 * Checks the revision in `If-Match`. A conditional publish also fails while another publish or unpublish is in flight.
 * These write the draft first, which shows them (`_publishing`, `_unpublishedFrom`). Of several writes with the same
 * `ifRevision`, only one succeeds, because each requires an unchanged draft.
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
