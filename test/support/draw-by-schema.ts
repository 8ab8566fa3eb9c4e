import fc from 'fast-check'
import type { OpenApiDocument } from '../../server/documentation/make-document.js'

/** A value that a query string can express. If it is undefined, the parameter is omitted. */
export type Drawn = string | number | boolean | readonly Drawn[] | DrawnObject | undefined
type DrawnObject = Readonly<{ [name: string]: Drawn }>

type Schema = Readonly<{
  $ref?: string
  anyOf?: readonly Schema[]
  const?: Drawn
  enum?: readonly Drawn[]
  type?: string
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: Schema | boolean
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
}>

/**
 * Returns a function that creates fast-check arbitraries for schemas. It creates them on demand, because schemas can be
 * recursive. Drawn objects have at most two members, and none beyond `depth` levels.
 */
export function drawsOf(document: OpenApiDocument): (schema: unknown, depth: number) => Draw {
  const draw = (schema: Schema, depth: number): Draw => {
    if (schema.$ref !== undefined) return draw(resolved(document, schema.$ref), depth)
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    if (schema.anyOf !== undefined)
      return fc.constantFrom(...schema.anyOf).chain((one) => draw(one, depth))
    switch (schema.type) {
      case 'object':
        return objects(schema, depth)
      case 'array': {
        const { minItems: minLength = 1, maxItems: maxLength = Math.max(2, minLength) } = schema
        return fc.array(draw(schema.items ?? {}, depth - 1), { minLength, maxLength })
      }
      case 'boolean':
        return fc.boolean()
      case 'integer':
        return fc.integer({
          min: schema.minimum ?? -1000,
          max: schema.maximum ?? 2_000_000_000,
        })
      case 'number':
        return fc.double({ noNaN: true, noDefaultInfinity: true })
      case 'string':
        return texts(schema)
      default:
        throw new Error(`Nobody knows how to draw ${JSON.stringify(schema)}`)
    }
  }
  const objects = (
    { properties = {}, additionalProperties }: Schema,
    depth: number,
  ): fc.Arbitrary<Drawn> => {
    const members: Readonly<Record<string, Schema>> =
      typeof additionalProperties === 'object'
        ? { ...properties, colour: additionalProperties }
        : properties
    const names = Object.keys(members)
    if (depth <= 0 || names.length === 0) return fc.constant(undefined)
    return fc
      .subarray(names, { minLength: 1, maxLength: Math.min(2, names.length) })
      .chain((chosen) =>
        fc
          .tuple(...chosen.map((name) => draw(members[name] ?? {}, depth - 1)))
          .map((values) => Object.fromEntries(chosen.map((name, i) => [name, values[i]]))),
      )
  }
  return (schema, depth) => draw(schema as Schema, depth)
}

type Draw = fc.Arbitrary<Drawn>

function texts({ format, pattern, minLength = 0, maxLength = 12 }: Schema): fc.Arbitrary<string> {
  const times = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2099-12-31') })
  if (format === 'date') return times.map((time) => time.toISOString().slice(0, 10))
  if (format === 'date-time') return times.map((time) => time.toISOString())
  // `stringMatching` also accepts partial matches, but the patterns in documents begin with `^` and end with `$`.
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return fc.string({ minLength, maxLength: Math.min(maxLength, 12), unit: 'grapheme' })
}

/** Returns the schema that a reference such as `#/components/…` points to. */
export function resolved(document: OpenApiDocument, reference: string): Schema {
  const place = reference.slice(2).split('/')
  return place.reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)[name], {
    ...document,
  }) as Schema
}

/** Returns the parameters for a value, such as `[['filters[title][$eq]', 'a']]`. */
export function inBrackets(name: string, value: Drawn): readonly (readonly [string, string])[] {
  if (value === undefined) return []
  if (typeof value !== 'object') return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, member]) => inBrackets(`${name}[${key}]`, member))
}
