import type { ContentType } from '../../../engine/schema/content-type.js'
import type { VersionKey } from '../../../engine/values/stored-types.js'
import type { RowError } from '../../import-runner/check-versions.js'
import type { Notes } from '../notes.js'

/** Maximum number of attribute names in a message, and maximum number of characters of an error. */
const maxNamed = 5
const maxMessage = 200

/** Reports a published version that is not valid by the project's definitions. */
export function noteRefused(
  notes: Notes,
  { uid, draftAndPublish }: ContentType,
  { documentId, locale }: VersionKey,
  errors: readonly RowError[],
): void {
  const names = [...new Set(errors.map(({ path }) => path.replaceAll(/\.\d+/g, '')))]
  const named = [...names.slice(0, maxNamed), ...(names.length > maxNamed ? ['…'] : [])].join(', ')
  const rest = draftAndPublish ? ', whose drafts are imported' : ''
  const [message = ''] = errors.map((error) => error.message.slice(0, maxMessage))
  notes.leftOut(
    `published versions of ${uid} that the definitions of this project do not allow${rest}: ${named}`,
    `${documentId}${locale === null ? '' : ` ${locale}`}: ${message}`,
    uid,
  )
}
