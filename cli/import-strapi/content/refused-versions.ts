import type { ContentType } from '../../../engine/schema/content-type.js'
import type { Registry } from '../../../engine/schema/registry.js'
import type { Fields, VersionKey } from '../../../engine/values/stored-types.js'
import type { PatternChecker } from '../../../engine/patterns/pattern-check.js'
import { createCheck, typesToCheck, type RowError } from '../../import-runner/check-versions.js'
import type { Notes } from '../notes.js'

type RefusalContext = Readonly<{
  registry: Registry
  /** uids of the project's definitions that differ from the exported ones. */
  differing: ReadonlySet<string>
  /** Whether to reject versions in which required relations or media are missing. */
  requiredRelations: boolean
  checkPatterns: PatternChecker
}>

/** Validates a published version, if the definition of its type differs from the exported one. */
export type Refusal = (type: ContentType, content: Fields) => Promise<readonly RowError[]>

export function createRefusal(context: RefusalContext): Refusal {
  const checked = new Set(typesToCheck(context.registry, context.differing).map((type) => type.uid))
  const check = createCheck(context)
  return async (type, content) => (checked.has(type.uid) ? check(type, content) : [])
}

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
