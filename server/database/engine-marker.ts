import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineStartError } from './engine-start-error.js'
import { versionObstacle } from './mongod/mongod-version.js'
import { writePrivately } from './mongod/mongod-files.js'
import { ownCommand } from '../settings/own-command.js'

/** The engine of a `DATA_DIR`, and its version at the last start. */
export type EngineMarker = Readonly<{ engine: 'embedded' | 'mongod'; version: string }>

const markerName = 'database-engine.json'
/** Used for a folder without a marker: such a folder was created when the embedded engine was the only one. */
const beforeMarkers = { engine: 'embedded', version: '' } as const

/**
 * Throws EngineStartError if a folder belongs to another engine: this engine would start with an empty database, and
 * the content would seem lost. The message names the required version or `database copy`.
 */
export async function checkMarker(dataDir: string, wanted: EngineMarker): Promise<void> {
  const found = await readMarker(dataDir)
  if (found === undefined) return
  if (found.engine !== wanted.engine)
    throw new EngineStartError(
      'refused',
      `The content in ${dataDir} is in ${names[found.engine]}, but the settings choose ${names[wanted.engine]}. ` +
        `Copy it with \`${ownCommand(`database copy --from ${found.engine} --to ${wanted.engine}`)}\`, or ${keep[found.engine]}.`,
    )
  const obstacle =
    wanted.engine === 'mongod' ? versionObstacle(wanted.version, found.version) : undefined
  if (obstacle !== undefined)
    throw new EngineStartError('refused', `The MongoDB in ${dataDir} ${obstacle}`)
}

/** Records which engine a folder belongs to from now on. */
export async function writeMarker(dataDir: string, marker: EngineMarker): Promise<void> {
  const found = await readMarker(dataDir)
  if (found?.engine === marker.engine && found.version === marker.version) return
  await writePrivately(join(dataDir, markerName), `${JSON.stringify(marker)}\n`)
}

/** Reads the marker of a folder. Returns undefined if the folder contains no database. */
async function readMarker(dataDir: string): Promise<EngineMarker | undefined> {
  const path = join(dataDir, markerName)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text !== undefined) return parseMarker(text, path)
  const names = await readdir(join(dataDir, 'database')).catch((): string[] => [])
  return names.includes('WiredTiger') ? beforeMarkers : undefined
}

function parseMarker(text: string, path: string): EngineMarker {
  try {
    const { engine, version } = JSON.parse(text) as Partial<EngineMarker>
    if ((engine === 'embedded' || engine === 'mongod') && typeof version === 'string')
      return { engine, version }
  } catch {
    // Invalid JSON: an error is thrown below.
  }
  throw new EngineStartError(
    'refused',
    `${path} does not say which database engine the folder belongs to. Restore it from a backup.`,
  )
}

const names = {
  embedded: 'the embedded database',
  mongod: 'a MongoDB that Quire runs',
} as const
const keep = {
  embedded: 'leave database.mongod unset to keep using it',
  mongod: 'set database.mongod to auto, or to the path of a mongod, to keep using it',
} as const
