import type { Schema } from 'yup'

/** A JSON schema as plain data. The version is 2020-12, which OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** JSON schemas of an object's members, by name. */
export type JsonSchemas = Readonly<Record<string, JsonSchema>>

/** Functions that return references to entry schemas. Used to describe responses that contain entries. */
export type EntrySchemas = Readonly<{
  /** Returns the schema of an entry of the content-type `uid`, as the caller may see it. */
  entry: (uid: string) => JsonSchema
  /** Returns the schema of an entry with the additional `members`. The document contains that schema under `name`. */
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

/** Content of a response: JSON with a schema, one or more other media types, or nothing. */
export type DocumentedAnswer =
  | JsonSchema
  | ((schemas: EntrySchemas) => JsonSchema)
  | Readonly<{ mediaType: string; schema?: JsonSchema }>
  | Readonly<{ mediaTypes: JsonSchemas }>
  | 'empty'

/** Description of a route in the OpenAPI document, in addition to its path and guard (docs/openapi.md). */
export type Documented = Readonly<{
  /** The unique `operationId`. */
  id: string
  summary: string
  /** The tag under which the document groups the route. */
  tag: string
  query?: readonly QueryParameter[]
  /** Uid of the content-type, for a route that returns a list of entries and accepts the query parameters of lists. */
  lists?: string
  /** Uid of the content-type, for a route that returns one entry and accepts `fields` and `populate`. */
  shows?: string
  /**
   * The body's yup schema, which is also used for validation. For a body without a yup schema: a JSON schema, which is
   * used only for the description.
   */
  body?: Schema | JsonSchema | ((schemas: EntrySchemas) => JsonSchema)
  /** Media type of the body; default: `application/json`. */
  bodyType?: 'multipart/form-data'
  bodyOptional?: true
  answers: Readonly<Record<number, DocumentedAnswer>>
  /** Error statuses in addition to those that all routes with the same method and guard can return. */
  errors?: readonly number[]
}>

/** Returns the description of the admin version of an endpoint, with an `operationId` and tag of its own. */
export const asAdmin = (documented: Documented): Documented => ({
  ...documented,
  id: `${documented.id}AsAdmin`,
  tag: `${documented.tag} (admins)`,
})
