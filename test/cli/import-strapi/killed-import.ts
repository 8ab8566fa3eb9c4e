import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { BSON } from 'mongodb'
import { MongoClient, type Db } from 'mongodb'
import type { ArchiveRecord } from '../../../cli/import/archive-record.js'
import type { ExportRecord } from '../../../cli/import-strapi/export-record.js'
import { testDatabaseUri } from '../../support/database.js'
import { quireCommand } from '../../support/quire-command.js'
import { sampleExport } from '../../support/sample-export.js'

const hook = fileURLToPath(new URL('kill-at-command.js', import.meta.url))

/** A database and a folder for repeated imports. */
export type ImportTarget = Awaited<ReturnType<typeof openImportTarget>>

/**
 * Prepares repeated runs of an import, by default of the sample. Uses a new database and data folder, or those of `of`.
 */
export async function openImportTarget(
  folder: string,
  args: readonly string[] = ['import-strapi', sampleExport],
  of?: Readonly<{ env: Readonly<{ MONGODB_URI: string; DATA_DIR: string }> }>,
) {
  const uri = of?.env.MONGODB_URI ?? (await testDatabaseUri())
  const dataDir = of?.env.DATA_DIR ?? path.join(folder, 'data')
  const sentFile = path.join(folder, 'sent')
  const run = async (env: Readonly<Record<string, string>>): Promise<number | null> => {
    const child = spawn(process.execPath, ['--import', hook, quireCommand, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], MONGODB_URI: uri, DATA_DIR: dataDir, ...env },
      stdio: 'ignore',
    })
    const [code] = (await once(child, 'close')) as [number | null]
    return code
  }
  return {
    env: { MONGODB_URI: uri, DATA_DIR: dataDir },
    /** Imports to the end. Returns the exit code, and the number of commands and file writes. */
    finish: async () => {
      const code = await run({ SENT_FILE: sentFile })
      return { code, sent: Number(await readFile(sentFile, 'utf8')) }
    },
    /** Kills an import at the nth command. Returns false if the import finished before. */
    killAt: async (command: number) => (await run({ KILL_AT: String(command) })) === null,
    /** Like `killAt`, but counts commands from the start of a stage. */
    killIn: async (stage: (ArchiveRecord | ExportRecord)['stage'], command: number) =>
      (await run({ KILL_IN: stage, KILL_AT: String(command) })) === null,
    /** Undefined if the import has not begun. */
    stage: () =>
      over(uri, async (db) => {
        const record = await db.collection<{ stage: string }>('_imports').findOne()
        return record?.stage
      }),
    result: async () => ({ ...(await over(uri, documentsIn)), files: await filesOf(dataDir) }),
  }
}

async function over<T>(uri: string, task: (db: Db) => Promise<T>): Promise<T> {
  const client = new MongoClient(uri)
  try {
    return await task(client.db())
  } finally {
    await client.close()
  }
}

/** Returns all documents by collection, without fields that describe a single run. */
async function documentsIn(db: Db): Promise<Readonly<Record<string, unknown>>> {
  const collections = await db.listCollections().toArray()
  const found: Record<string, unknown> = {}
  for (const { name } of collections) {
    if (name === '_instances') continue
    const documents = await db.collection(name).find().sort({ _id: 1 }).toArray()
    if (documents.length > 0)
      found[name] = documents.map((document) =>
        BSON.EJSON.serialize(
          Object.fromEntries(Object.entries(document).filter(([key]) => !ofRun.has(key))),
        ),
      )
  }
  return found
}

const ofRun: ReadonlySet<string> = new Set(['startedAt', 'finishedAt', 'marker'])

async function filesOf(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const folder = path.join(dataDir, 'uploads')
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
  const sums = names.map(async (name) => {
    const content = await readFile(path.join(folder, name))
    return [name, createHash('sha256').update(content).digest('hex')] as const
  })
  return Object.fromEntries(await Promise.all(sums))
}
