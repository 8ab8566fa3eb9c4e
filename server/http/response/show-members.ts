import type { JsonSchema } from '../documented.js'
import type { Json } from '../route.js'

type Shown = string | number | boolean | Date | null | undefined | readonly string[]

/** Returns those members of a record for which there is a schema, as JSON and in the order of the schemas. */
export const showMembers = <Key extends string>(
  schemas: Readonly<Record<Key, JsonSchema>>,
  record: Readonly<Record<NoInfer<Key>, Shown>>,
): Readonly<Record<string, Json>> =>
  Object.fromEntries((Object.keys(schemas) as Key[]).map((key) => [key, toJson(record[key])]))

const toJson = (value: Shown): Json =>
  value instanceof Date ? value.toISOString() : (value ?? null)
