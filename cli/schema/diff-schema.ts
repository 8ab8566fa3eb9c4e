import path from 'node:path'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import type { SchemaDifference } from '../../server/content-types/compare-files.js'
import type { DefinitionDifference } from '../../server/content-types/definition-differences.js'
import { effectLines } from '../../server/content-types/schema-effects.js'
import { readSchemaFiles } from '../../server/content-types/schema-files.js'
import { loadConfig } from '../../server/settings/config.js'
import { dataOf, jsonOf, openAdminFetch, type Remote } from '../admin-client.js'
import { serviceOf, type GivenService } from '../admin-service.js'
import { printReport } from '../print-json.js'
import type { QuireCommand } from '../quire-command.js'
import { compareSchema } from './compare-schema.js'

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

const withStored = (schemaDir: string): Promise<SchemaDifference> =>
  compareSchema(schemaDir, 'schema', loadConfig({ ...process.env, SCHEMA_DIR: schemaDir }))

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
  const lines = effectLines(effects).map((line) => `  ${line}`)
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
