import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** Returns a line for each error in a document, with its path. */
export type SchemaCheck = (document: unknown) => readonly string[]

type KubernetesSchema = Readonly<{
  kinds: readonly Readonly<{ apiVersion: string; kind: string; definition: string }>[]
  definitions: Readonly<Record<string, object>>
}>

/** Checks a manifest with the schema of its kind. A kind without a schema is an error. */
export function kubernetesCheck(): SchemaCheck {
  const { kinds, definitions } = readSchema('kubernetes.json') as KubernetesSchema
  const ajv = createAjv()
  ajv.addSchema({ definitions }, 'kubernetes')
  return (document) => {
    const { apiVersion, kind } = document as Readonly<{ apiVersion?: unknown; kind?: unknown }>
    const known = kinds.find((one) => one.apiVersion === apiVersion && one.kind === kind)
    if (known === undefined) return [`there is no schema of ${String(apiVersion)} ${String(kind)}`]
    return check(ajv, { $ref: `kubernetes#/definitions/${known.definition}` }, document)
  }
}

/** Checks a Compose file. */
export function composeCheck(): SchemaCheck {
  const ajv = createAjv()
  const schema = readSchema('compose.json')
  return (document) => check(ajv, schema, document)
}

// The formats of these schemas (`int32`, `duration`) describe storage types. They do not restrict values.
const createAjv = (): Ajv2020 =>
  new Ajv2020({ strict: false, allErrors: true, validateFormats: false })

const readSchema = (name: string): object =>
  JSON.parse(
    readFileSync(new URL(`../../../../test/deploy/schemas/${name}`, import.meta.url), 'utf8'),
  ) as object

function check(ajv: Ajv2020, schema: object, document: unknown): readonly string[] {
  const validate = ajv.compile(schema)
  if (validate(document) === true) return []
  return (validate.errors ?? []).map(({ instancePath, message = '', params }) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
  )
}
