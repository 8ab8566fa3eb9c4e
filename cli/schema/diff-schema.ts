import path from 'node:path'
import type { SchemaDifference } from '../../server/content-types/compare-files.js'
import type { DefinitionDifference } from '../../server/content-types/definition-differences.js'
import { effectLines } from '../../server/content-types/schema-effects.js'
import { isFolder } from '../../server/project/safe-folder.js'
import { loadConfig } from '../../server/settings/config.js'
import { ownCommand } from '../../server/settings/own-command.js'
import { serviceOf, type GivenService } from '../admin-service.js'
import { printReport } from '../print-json.js'
import type { QuireCommand } from '../quire-command.js'
import { compareSchema } from './compare-schema.js'

type DiffOptions = GivenService & Readonly<{ json: boolean }>

/** Runs `quire schema diff`. Returns whether the folder and the served definitions are equal. */
export async function diffSchema(
  folder: string | undefined,
  options: DiffOptions,
  command: QuireCommand,
): Promise<boolean> {
  const schemaDir = path.resolve(folder ?? (process.env.SCHEMA_DIR || 'schema'))
  if (!(await isFolder(schemaDir))) throw new Error(`There is no folder ${schemaDir}`)
  const remote = await serviceOf(command, options)
  const config = loadConfig({ ...process.env, SCHEMA_DIR: schemaDir })
  const difference = await compareSchema(schemaDir, { name: 'schema', config, remote })
  printReport(options.json, difference, formatDifference)
  return difference.differences.length === 0
}

const signs = { added: '+', removed: '-', changed: '~' } as const

function formatDifference({
  state,
  differences,
  effects,
  warnings,
  problem,
}: SchemaDifference): string {
  const lines = effectLines(effects).map((line) => `  ${line}`)
  const verdict = state === 'older' ? 'Going back to them would be refused' : 'It would not start'
  return [
    ...(state === 'older' && problem === undefined
      ? [
          `The database has newer definitions. To go back to these: ${ownCommand('schema --go-back')}`,
        ]
      : []),
    ...(differences.length === 0 ? ['There are no differences.'] : differences.map(formatOne)),
    ...(warnings.length === 0 ? [] : ['', 'Warnings', ...warnings.map((line) => `  ${line}`)]),
    ...(lines.length === 0 ? [] : ['', 'Effects on stored content', ...lines]),
    ...(problem === undefined ? [] : ['', `${verdict}:\n${problem}`]),
  ].join('\n')
}

function formatOne({ uid, path: place, kind, from, to }: DefinitionDifference): string {
  const values = [from, to].filter((value) => value !== undefined).map((one) => JSON.stringify(one))
  const line = `${signs[kind]} ${[uid, place].filter(Boolean).join(' ')}`
  return values.length === 0 ? line : `${line}: ${values.join(' → ')}`
}
