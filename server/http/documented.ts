import type { Schema } from 'yup'

/** A JSON schema, version 2020-12, which OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** JSON schemas of an object's members, by name. */
export type JsonSchemas = Readonly<Record<string, JsonSchema>>

/** References to entry schemas, for responses that contain entries. */
export type EntrySchemas = Readonly<{
  entry: (uid: string) => JsonSchema
  /** Returns the schema of an entry with additional `members`, named `name` in the document. */
  entryWith: (uid: string, name: string, members: JsonSchemas) => JsonSchema
}>

/** A query parameter with a single value. */
export type QueryParameter = Readonly<{
  name: string
  description: string
  schema: JsonSchema
  required?: true
}>

export const queryParameter = (
  name: string,
  description: string,
  schema: JsonSchema,
): QueryParameter => ({ name, description, schema })

/** Content of a response: JSON, other media types, or nothing. */
export type DocumentedAnswer =
  | JsonSchema
  | ((schemas: EntrySchemas) => JsonSchema)
  | Readonly<{ mediaType: string; schema?: JsonSchema }>
  | Readonly<{ mediaTypes: JsonSchemas }>
  | 'empty'

/** Description of a route in the OpenAPI document, in addition to its path and guard (docs/openapi.md). */
export type Documented = Readonly<{
  id: string
  summary: string
  tag: string
  query?: readonly QueryParameter[]
  /** Uid of the content-type, for a route that returns a list of entries. */
  lists?: string
  /** Uid of the content-type, for a route that returns one entry. */
  shows?: string
  /** The yup schema that also validates the body, or a JSON schema that only describes it. */
  body?: Schema | JsonSchema | ((schemas: EntrySchemas) => JsonSchema)
  bodyType?: 'multipart/form-data'
  bodyOptional?: true
  answers: Readonly<Record<number, DocumentedAnswer>>
  /** Error statuses that this route can return, but not every route with the same method and guard. */
  errors?: readonly number[]
}>

/** Returns the description of an endpoint's admin version, with its own `operationId` and tag. */
export const asAdmin = (documented: Documented): Documented => ({
  ...documented,
  id: `${documented.id}AsAdmin`,
  tag: `${documented.tag} (admins)`,
})
