import type { Schema } from 'yup'

/** A JSON schema as plain data, in version 2020-12, as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Schemas of members by name. */
export type JsonSchemas = Readonly<Record<string, JsonSchema>>

/** Creates references to the schemas of entries, for the descriptions of responses that contain entries. */
export type EntrySchemas = Readonly<{
  /** Returns the schema of an entry as the caller may see it. `uid` identifies the content-type. */
  entry: (uid: string) => JsonSchema
  /** Returns the schema of an entry with additional members. The schema is stored under `name`. */
  entryWith: (uid: string, name: string, members: JsonSchemas) => JsonSchema
}>

/** A query parameter that takes a single value. */
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

/** Content of a response: JSON with a schema, one or several other media types, or nothing. */
export type DocumentedAnswer =
  | JsonSchema
  | ((schemas: EntrySchemas) => JsonSchema)
  | Readonly<{ mediaType: string; schema?: JsonSchema }>
  | Readonly<{ mediaTypes: JsonSchemas }>
  | 'empty'

/** Description of a route for the OpenAPI document, in addition to its path and guard (docs/openapi.md). */
export type Documented = Readonly<{
  /** The `operationId`, which is unique. */
  id: string
  summary: string
  /** The tag that groups the route in the document. */
  tag: string
  query?: readonly QueryParameter[]
  /** Uid of a content-type, if the route returns a list of its entries and accepts the query parameters of lists. */
  lists?: string
  /** Uid of a content-type, if the route returns one of its entries and accepts `fields` and `populate`. */
  shows?: string
  /** The schema that validates the body. If there is none, a description of the body. */
  body?: Schema | JsonSchema | ((schemas: EntrySchemas) => JsonSchema)
  /** Default `application/json`. */
  bodyType?: 'multipart/form-data'
  bodyOptional?: true
  answers: Readonly<Record<number, DocumentedAnswer>>
  /** Statuses of errors, in addition to those that all routes with the same method and guard may return. */
  errors?: readonly number[]
}>

/** Describes the same endpoint for admins. */
export const asAdmin = (documented: Documented): Documented => ({
  ...documented,
  id: `${documented.id}AsAdmin`,
  tag: `${documented.tag} (admins)`,
})
