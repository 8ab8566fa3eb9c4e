import type { Db } from 'mongodb'
import { hasSnapshots } from '../../engine/database/durability.js'
import { suggestionFor } from '../../engine/errors/nearest-name.js'
import { fail } from '../../engine/errors.js'
import type { Registry } from '../../engine/schema/registry.js'
import { queryParameter } from '../http/documented.js'
import { text, trueOrFalse } from '../http/routes/json-schemas.js'
import type { HttpRequest, Reply, Route } from '../http/route.js'
import { routesOf } from '../http/routes/routes-of.js'
import { refusal } from '../http/request/validate-body.js'
import { withFolders } from '../upload/folders/folder-types.js'
import { archiveForms, packingOf, type ArchiveForm } from './archive/compression.js'
import { noSnapshots } from './read-consistently.js'
import type { Exporting } from './exporting.js'
import { selectionOf } from './selection.js'

type Parts = Readonly<{
  db: Db
  registry: () => Registry
  /** Whether no other process can use this database. */
  singleProcess: boolean
  exporting: Exporting
}>

/** Routes for backups by admins (docs/backup.md, "Through a running service"). */
export function backupRoutes(parts: Parts): readonly Route[] {
  return routesOf(
    { guard: 'admin', tag: 'Backup' },
    {
      'GET /admin/export': {
        id: 'exportBackup',
        summary:
          'Export everything except secrets into one archive, as of one moment. Without snapshots, writes wait meanwhile',
        query: [
          queryParameter('format', 'Format of the archive; default `tar.gz`', {
            type: 'string',
            enum: [...archiveForms],
          }),
          queryParameter('only', `Parts to include: ${names}; default: everything`, text),
          queryParameter('exclude', `Parts to leave out: ${names}`, text),
          queryParameter(
            'live',
            'Whether each entry is exported as it is when it is read, for a database without snapshots',
            trueOrFalse,
          ),
        ],
        answer: {
          mediaTypes: {
            'application/gzip': text,
            'application/x-tar': text,
            'application/zstd': text,
          },
        },
        errors: [400],
        ownTime: true,
        handle: (request) => exportBackup(parts, request),
      },
    },
  )
}

async function exportBackup(
  { db, registry, singleProcess, exporting }: Parts,
  { search, signal, isHead }: HttpRequest,
): Promise<Reply> {
  const what = readExportQuery(search, withFolders(registry()).contentTypes.keys())
  if (!singleProcess && !what.live && !(await hasSnapshots(db))) throw refusal(noSnapshots)
  const headers = {
    'Content-Type': mediaTypes[what.form],
    'Content-Disposition': `attachment; filename="quire.${what.form}"`,
    'Cache-Control': 'no-store',
  }
  // A HEAD request needs no archive.
  if (isHead) return { status: 200, headers }
  return { status: 200, headers, stream: await exporting.begin(what, signal) }
}

const mediaTypes: Readonly<Record<ArchiveForm, string>> = {
  tar: 'application/x-tar',
  'tar.gz': 'application/gzip',
  'tar.zst': 'application/zstd',
}

/** Throws ApiError 400 for invalid parameters. */
function readExportQuery(search: string, uids: Iterable<string>) {
  const known = ['format', 'only', 'exclude', 'live']
  const given = new URLSearchParams(search)
  for (const name of given.keys()) {
    if (name === 'secrets') throw refusal(noSecrets, [name])
    if (!known.includes(name)) throw fail('invalid-key', { key: name }, suggestionFor(name, known))
    if (given.getAll(name).length > 1) throw refusal(`${name} was given more than once`, [name])
  }
  const one = <T extends string>(name: string, choices: readonly T[], otherwise: T): T => {
    const text = given.get(name) ?? otherwise
    const found = choices.find((choice) => choice === text)
    if (found !== undefined) return found
    throw refusal(
      `${name} must be one of ${choices.join(', ')}`,
      [name],
      suggestionFor(text, choices),
    )
  }
  const list = (name: string): string[] =>
    (given.get(name) ?? '').split(',').filter((part) => part !== '')
  const selection = { only: list('only'), exclude: list('exclude') }
  const form = one('format', archiveForms, 'tar.gz')
  const live = one('live', ['true', 'false'], 'false') === 'true'
  try {
    selectionOf(selection, uids)
    // Create the streams only to check whether this version of Node supports the format.
    for (const packing of packingOf(form)) packing.destroy()
  } catch (error) {
    throw refusal((error as Error).message)
  }
  return { form, asked: selection, live }
}

const noSecrets =
  'A service does not export secrets. To export them, run `quire export --secrets` with access to the database (if it is in DATA_DIR, stop the service first)'

/** Description of `only` and `exclude` in the API documentation. */
const names = 'parts and uids of content-types, comma-separated'
