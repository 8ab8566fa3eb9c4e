import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { Settings } from '../../../server/settings/settings.js'
import { openTestApp, type TestApp } from '../../support/test-app.js'

export const noteSchema = {
  'content-types/note.json': {
    ...{ kind: 'collectionType', collectionName: 'notes' },
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: false },
    attributes: { title: { type: 'string' } },
  },
}

/** Starts a service on the embedded engine with 20,001 notes. The API creates the first; the others are copies. */
export async function startNotes(settings: Partial<Settings> = {}): Promise<TestApp> {
  const app = await openTestApp(undefined, { schema: noteSchema, settings })
  const data = { title: 'One of many' }
  const one = await app.request('POST', '/api/notes', { token: app.token, body: { data } })
  expect(one.status).to.equal(201)
  const notes = app.quire.services.db.collection<{ _id: unknown }>('notes')
  const { _id, ...stored } = (await notes.findOne()) ?? { _id: undefined }
  const copies = Array.from({ length: 20_000 }, (_, at) => ({
    ...stored,
    ...{ _id: `${String(_id)}${at}`, id: 1000 + at, documentId: `n${at}` },
  }))
  await notes.insertMany(copies)
  return app
}

/** Requests an export. Resolves when the response headers arrive, which is after all documents were read. */
export const askForExport = (
  app: TestApp,
  search = '?format=tar',
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(`${app.url}/admin/export${search}`, {
    headers: { Authorization: `Bearer ${app.adminJwt}` },
    ...(signal === undefined ? {} : { signal }),
  })

export const createNote = (app: TestApp, title: string): ReturnType<TestApp['request']> =>
  app.request('POST', '/api/notes', { token: app.token, body: { data: { title } } })

/** Returns the temporary folders of exports in a `DATA_DIR`. */
export async function foldersOf(dataDir: string): Promise<readonly string[]> {
  const tmp = join(dataDir, 'tmp')
  const places = await readdir(tmp).catch(() => [])
  const found = await Promise.all(
    places.map(async (place) => {
      const names = await readdir(join(tmp, place)).catch(() => [])
      return names.map((name) => join(tmp, place, name))
    }),
  )
  return found.flat()
}

/** Waits until an export reads documents, and therefore delays writes: its file of documents then has content. */
export async function untilReading(dataDir: string): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 2) {
    for (const folder of await foldersOf(dataDir)) {
      const { size } = await stat(join(folder, 'documents')).catch(() => ({ size: 0 }))
      if (size > 0) return
    }
    await sleep(2)
  }
  throw new Error('Nothing was read')
}

/**
 * Waits until a service has started the process for an export, and returns this process. The process does not read
 * documents at once.
 */
export async function exporterOf(service: number): Promise<Readonly<{ pid: number }>> {
  for (let waited = 0; waited < 30_000; waited += 10) {
    const [pid] = await exportersOf(service)
    if (pid !== undefined) return { pid }
    await sleep(10)
  }
  throw new Error('Nothing is exported')
}

export async function exportersOf(service: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='])
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command = ''] = /^ *(\d+) +(\d+) (.*)/.exec(line) ?? []
    return Number(parent) === service && command.includes('export-worker') ? [Number(pid)] : []
  })
}

/** Stops the process of an export, as if the database did not respond. */
export const pause = ({ pid }: Readonly<{ pid: number }>): void => void process.kill(pid, 'SIGSTOP')
export const goOn = ({ pid }: Readonly<{ pid: number }>): void => void process.kill(pid, 'SIGCONT')
