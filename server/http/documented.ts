import type { Schema } from 'yup'

/** A JSON schema as plain data, in version 2020-12, as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Schemas of members by name. */
export type JsonSchemas = Readonly<Record<string, JsonSchema>>

/** Creates references to schemas of entries, for responses that show entries of a content-type. */
export type EntrySchemas = Readonly<{
  /** Returns the schema of an entry as the caller may see it, by the uid of its type. */
  entry: (uid: string) => JsonSchema
  /** The same with further members, under its own name. */
  entryWith: (uid: string, name: string, members: JsonSchemas) => JsonSchema
}>

/** A query parameter of one value. */
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

/** Content of a response: JSON of a schema, another media type or several, or nothing. */
export type DocumentedAnswer =
  | JsonSchema
  | ((schemas: EntrySchemas) => JsonSchema)
  | Readonly<{ mediaType: string; schema?: JsonSchema }>
  | Readonly<{ mediaTypes: JsonSchemas }>
  | 'empty'

/** Description of a route in the API's document, in addition to its path and guard (docs/openapi.md). */
export type Documented = Readonly<{
  /** Operation id; unique. */
  id: string
  summary: string
  /** The tag under which it is listed. */
  tag: string
  query?: readonly QueryParameter[]
  /** Uid of a content-type if the route returns a list of its entries and takes the parameters of lists. */
  lists?: string
  /** Uid of a content-type if the route returns one of its entries, with `fields` and `populate`. */
  shows?: string
  /** The schema that validates the body, or a description if there is no such schema. */
  body?: Schema | JsonSchema | ((schemas: EntrySchemas) => JsonSchema)
  /** Default `application/json`. */
  bodyType?: 'multipart/form-data'
  bodyOptional?: true
  answers: Readonly<Record<number, DocumentedAnswer>>
  /** Statuses of errors in addition to those that every route of its method and guard may return. */
  errors?: readonly number[]
}>

/** Describes the same endpoint for admins. */
export const asAdmin = (documented: Documented): Documented => ({
  ...documented,
  id: `${documented.id}AsAdmin`,
  tag: `${documented.tag} (admins)`,
})
