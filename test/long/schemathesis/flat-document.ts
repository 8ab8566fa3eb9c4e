import type { OpenApiDocument } from '../../../server/documentation/make-document.js'
import { resolved } from '../../support/draw-by-schema.js'

/** Which operations a run calls. `content`: all that a full-access token may call. `admin`: all that need an admin. */
export type Callee = 'content' | 'admin'

type Operation = Readonly<{
  security?: readonly Readonly<Record<string, unknown>>[]
  parameters?: readonly Parameter[]
}>
type Parameter = Readonly<{ $ref?: string; name?: string; style?: string; schema?: Schema }>
type Schema = Readonly<{ type?: string; enum?: readonly string[] }>

/**
 * Returns the document in a form that schemathesis can use:
 * - without nested parameters, because OpenAPI describes only their first level;
 * - with the existing locales as the only locales for writes;
 * - without `explain` of single entries, because a query is explained even if its entry was deleted.
 */
export function flatDocument(
  document: OpenApiDocument,
  callee: Callee,
  locales: readonly string[],
): object {
  const flat = (path: string, parameters: readonly Parameter[]): readonly Parameter[] =>
    parameters.flatMap((parameter) => {
      const own =
        parameter.$ref === undefined ? parameter : (resolved(document, parameter.$ref) as Parameter)
      if (own.style === 'deepObject') return []
      if (own.name === 'explain' && path.endsWith('}')) return []
      // Only writes need an existing locale. A bulk request reports an unknown locale for each operation.
      const isWritten = !path.endsWith('/bulk') && /\/writtenLocale$/.test(parameter.$ref ?? '')
      return isWritten ? [{ ...own, schema: { enum: locales } }] : [parameter]
    })
  const paths = Object.entries(document.paths).flatMap(([path, methods]) => {
    const own = Object.entries(methods as Readonly<Record<string, Operation>>).filter(
      ([, { security }]) => (security?.[0]?.['admin'] !== undefined) === (callee === 'admin'),
    )
    const called = own.map(([method, { parameters = [], ...operation }]) => [
      method,
      { ...operation, parameters: flat(path, parameters) },
    ])
    return called.length === 0 ? [] : [[path, Object.fromEntries(called)] as const]
  })
  return { ...document, paths: Object.fromEntries(paths) }
}
