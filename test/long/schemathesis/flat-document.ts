import type { OpenApiDocument } from '../../../server/documentation/make-document.js'
import { resolved } from '../../support/draw-by-schema.js'

/** Whose operations a run is to call; `content`: all that a full-access token may call. */
export type Callee = 'content' | 'admin'

type Operation = Readonly<{
  security?: readonly Readonly<Record<string, unknown>>[]
  parameters?: readonly Parameter[]
}>
type Parameter = Readonly<{ $ref?: string; name?: string; style?: string; schema?: Schema }>
type Schema = Readonly<{ type?: string; enum?: readonly string[] }>

/**
 * The document without nested parameters, of which OpenAPI knows the first level alone and of which the client would
 * draw what nobody can send; `test/server/documentation/bracket-queries.test.ts` draws them. Of locales to write,
 * which are data, it names those that there are. And it asks for no explanation of what was deleted: a query is
 * explained whether or not its entry is there.
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
      // Reads and deletes take any text that could be a locale, and find nothing in it; types without locales pass it
      // over; and a bulk says of each operation that there is none of that name.
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
