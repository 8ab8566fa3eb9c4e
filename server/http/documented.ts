import type { Schema } from 'yup'

/** A JSON schema (2020-12, which is that of OpenAPI 3.1) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Of members, by their names. */
export type JsonSchemas = Readonly<Record<string, JsonSchema>>

/** Makes references to schemas of entries, for answers that show entries of a content-type. */
export type EntrySchemas = Readonly<{
  /** An entry of a type as the caller may see it, by its uid. */
  entry: (uid: string) => JsonSchema
  /** The same with further members, under a name of its own. */
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

/** What an answer holds: JSON of a schema, something else (its media type, or several), or nothing. */
export type DocumentedAnswer =
  | JsonSchema
  | ((schemas: EntrySchemas) => JsonSchema)
  | Readonly<{ mediaType: string; schema?: JsonSchema }>
  | Readonly<{ mediaTypes: JsonSchemas }>
  | 'empty'

/** What the API's document says of a route beside its path and its guard (docs/openapi.md). */
export type Documented = Readonly<{
  /** Of all operations none has the same. */
  id: string
  summary: string
  /** Under which it is listed. */
  tag: string
  query?: readonly QueryParameter[]
  /** uid of a content-type whose lists this route answers: it takes the parameters of such a list. */
  lists?: string
  /** uid of a content-type of which it answers one entry, with `fields` and `populate`. */
  shows?: string
  /** What is validated, or what is taken where no one schema is. */
  body?: Schema | JsonSchema | ((schemas: EntrySchemas) => JsonSchema)
  /** Default `application/json`. */
  bodyType?: 'multipart/form-data'
  bodyOptional?: true
  answers: Readonly<Record<number, DocumentedAnswer>>
  /** Statuses of errors beside those that every route of its method and guard may answer. */
  errors?: readonly number[]
}>

/** The same endpoint where admins have it. */
export const asAdmin = (documented: Documented): Documented => ({
  ...documented,
  id: `${documented.id}AsAdmin`,
  tag: `${documented.tag} (admins)`,
})
