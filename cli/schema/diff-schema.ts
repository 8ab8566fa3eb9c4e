import path from 'node:path'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { lineOf } from '../../engine/schema/schema-error.js'
import { diffFiles, type SchemaDifference } from '../../server/content-types/compare-files.js'
import type { DefinitionDifference } from '../../server/content-types/definition-differences.js'
import { readDefinitions } from '../../server/content-types/definition-store.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import { readSchemaFiles } from '../../server/content-types/schema-files.js'
import { loadConfig } from '../../server/settings/config.js'
import { dataOf, jsonOf, openAdminFetch, type Remote } from '../admin-client.js'
import { serviceOf, type GivenService } from '../admin-service.js'
import { printReport } from '../print-json.js'
import type { QuireCommand } from '../quire-command.js'
import { withDatabase } from '../with-database.js'

type DiffOptions = GivenService & Readonly<{ json: boolean }>

/** Runs `quire schema diff`; returns whether the folder and the served definitions are equal. */
export async function diffSchema(
  folder: string | undefined,
  options: DiffOptions,
  command: QuireCommand,
): Promise<boolean> {
  const schemaDir = path.resolve(folder ?? (process.env.SCHEMA_DIR || 'schema'))
  const remote = await serviceOf(command, options)
  const difference =
    remote === undefined ? await withStored(schemaDir) : await withServed(schemaDir, remote)
  printReport(options.json, difference, tellDifference)
  return difference.differences.length === 0
}

function withStored(schemaDir: string): Promise<SchemaDifference> {
  const config = loadConfig({ ...process.env, SCHEMA_DIR: schemaDir })
  const { settings } = config
  return withDatabase(
    'schema',
    async ({ db }) => {
      const before = (await readDefinitions(db)).definitions.map(sourced)
      const customFields = settings['schema.customFields']
      const files = await readSchemaFiles(schemaDir, { customFields, before })
      return diffFiles(db, files, settings['api.responses.privateAttributes'])
    },
    config,
  )
}

async function withServed(schemaDir: string, remote: Remote): Promise<SchemaDifference> {
  const read = await readSchemaFiles(schemaDir, {})
  const definitions = read.map((one): SourcedDefinition => ({
    ...one,
    source: path.relative(schemaDir, one.source),
  }))
  const send = await openAdminFetch(remote)
  return dataOf(await send('/content-type-builder/difference', jsonOf('POST', { definitions })))
}

const signs = { added: '+', removed: '-', changed: '~' } as const

function tellDifference({ differences, effects, problem }: SchemaDifference): string {
  const lines = effects.map((effect) => `  ${lineOf(effect)}`)
  return [
    ...(differences.length === 0 ? ['There is no difference.'] : differences.map(tellOne)),
    ...(lines.length === 0 ? [] : ['', 'What becomes of stored content', ...lines]),
    ...(problem === undefined ? [] : ['', `It would not start:\n${problem}`]),
  ].join('\n')
}

function tellOne({ uid, path: place, kind, from, to }: DefinitionDifference): string {
  const values = [from, to].filter((value) => value !== undefined).map((one) => JSON.stringify(one))
  const line = `${signs[kind]} ${[uid, place].filter(Boolean).join(' ')}`
  return values.length === 0 ? line : `${line}: ${values.join(' → ')}`
}
