import { ApiError } from '../../engine/errors.js'
import type { ContentType, Structure } from '../../engine/schema/content-type.js'
import { mapComponents } from '../../engine/schema/members-in.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { WriteRequest } from '../content/documents.js'
import type { Services } from '../lifecycle/services.js'

type Fields = Readonly<Record<string, unknown>>

/**
 * Updates a document that is there, and creates one that is not. Components that name their ids are edited in place,
 * so that they keep what no table has; where the document has them not, all that the row names are new.
 * @returns what was done, or what is wrong with the row
 */
export async function saveRow(
  { documents, registry }: Pick<Services, 'documents' | 'registry'>,
  type: ContentType,
  documentId: string | undefined,
  data: Fields,
  request: WriteRequest,
): Promise<'created' | 'updated' | readonly string[]> {
  if (documentId === undefined) {
    await documents.create(type, data, request)
    return 'created'
  }
  try {
    await documents.update(type, documentId, data, request).catch((error: unknown) => {
      if (!isRefused(error, 'application')) throw error
      return documents.update(type, documentId, withoutIds(type, data, registry()), request)
    })
    return 'updated'
  } catch (error) {
    if (!isRefused(error, 'not-found')) throw error
    if (!documentIdForm.test(documentId))
      return [`documentId: there is no such document, and a new one has 24 letters and digits`]
    const given = { documentId, isRepeated: false, isCreated: false }
    await documents.createGiven(type, data, request, given)
    return 'created'
  }
}

const documentIdForm = /^[a-z0-9]{24}$/

const isRefused = (error: unknown, code: ApiError['code']): boolean =>
  error instanceof ApiError && error.code === code

/** The same with components, at any depth, that name no ids. */
function withoutIds(structure: Structure, body: Fields, registry: Registry): Fields {
  const members = Object.entries(body).map(([name, value]) => {
    const attribute = structure.attributes.get(name)
    if (attribute?.type !== 'component' && attribute?.type !== 'dynamiczone') return [name, value]
    const bare = mapComponents(attribute, value, registry, (component, item) => {
      const rest = Object.entries(item).filter(([key]) => key !== 'id')
      return withoutIds(component, Object.fromEntries(rest), registry)
    })
    return [name, bare] as const
  })
  return Object.fromEntries(members) as Fields
}
