import type { PublicationFilter } from '../../../../../engine/read/parse/raw-query.js'
import type { ContentType } from '../../../../../engine/schema/content-type.js'
import type { Row, View } from './world.js'
import { versionsOf } from './world.js'

/** Whether an entry's draft and published version relate as `publicationFilter` says. */
export function relates(view: View, type: ContentType, row: Row): boolean {
  return !type.draftAndPublish || view.publication.every((word) => holds(view, type, row, word))
}

function holds(view: View, type: ContentType, row: Row, word: PublicationFilter): boolean {
  const { value, locale } = row
  const all = (status: View['status']) =>
    versionsOf({ ...view, status }, type).filter((it) => it['documentId'] === value?.['documentId'])
  const own = (status: View['status']) =>
    all(status).find((it) => !type.localized || it['locale'] === locale)
  const [draft, published] = [own('draft'), own('published')]
  const isDraft = view.status === 'draft'
  const both = draft !== undefined && published !== undefined
  const time = (version: typeof draft) => (version?.['updatedAt'] as Date).getTime()
  switch (word) {
    case 'never-published':
      return isDraft && published === undefined
    case 'never-published-document':
      return isDraft && all('published').length === 0
    case 'has-published-version':
      return published !== undefined
    case 'has-published-version-document':
      return all('published').length > 0
    case 'modified':
      return both && time(draft) > time(published)
    case 'unmodified':
      return both && time(draft) <= time(published)
    case 'published-without-draft':
      return !isDraft && draft === undefined
    case 'published-with-draft':
      return !isDraft && both
  }
}
