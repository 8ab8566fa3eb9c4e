import '../../processes/end-with-parent.js'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PassThrough, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ownDatabase } from '../../../engine/database/own-database.js'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { readDefinitions } from '../../content-types/definition-store.js'
import { sourced } from '../../content-types/merge-definitions.js'
import { connectDatabase } from '../../database/connect.js'
import { withFolders } from '../../upload/folders/folder-types.js'
import { createProviders } from '../../upload/providers/create-providers.js'
import { codeOf } from '../../upload/providers/on-disk.js'
import { packingOf } from '../archive/compression.js'
import { writeTar } from '../archive/write-tar.js'
import { readConsistently, ExportRefused } from '../read-consistently.js'
import { exportAt } from '../export-at.js'
import { createFileNames } from '../file-names.js'
import { selectionOf } from '../selection.js'
import { archivePipe, type ExportJob, type ExportMessage } from './export-job.js'

/**
 * Runs an export in a separate process, because reading, hashing and compressing would block the service. Documents go
 * to a file first, so that waiting writes need not wait for the client's download.
 */

async function exportAll(job: ExportJob): Promise<void> {
  const client = await connectDatabase(job.uri, { appName: 'quire export' })
  const db = await ownDatabase(client)
  const { definitions, version } = await readDefinitions(db)
  const registry = withFolders(createRegistryFrom(definitions.map(sourced), version))
  const selection = selectionOf(job.asked, registry.contentTypes.keys())
  const { chosen, uploads: directory, s3, quire, hasTokenSalt, folder } = job
  const providers = createProviders({ chosen, db, directory, s3 })
  const names = await createFileNames(join(folder, 'files-'))
  const spool = await createSpool(join(folder, 'documents'), progressReporter())
  const tar = writeTar(spool.target, packingOf(job.form))
  const started = once(process, 'message')
  await send({ is: 'ready' })
  await started
  await readConsistently({ db, singleProcess: job.singleProcess }, job.live, async (moment) => {
    const whenRead = async () => {
      spool.passOn(new Socket({ fd: archivePipe, readable: false, writable: true }))
      await send({ is: 'read' })
    }
    const parts = { db, registry, selection, secrets: false, providers, names, tar, whenRead }
    await exportAt({ ...parts, quire, hasTokenSalt, progress: () => undefined }, moment)
  })
  await tar.finish()
  await spool.taken
}

const send = (word: ExportMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined) resolve()
    else process.send(word, () => resolve())
  })

/** Returns a function that reports progress at most once a second. */
function progressReporter(): () => void {
  let last = monotonicNow()
  return () => {
    if (monotonicNow() - last < 1000) return
    last = monotonicNow()
    void send({ is: 'reading' })
  }
}

function wordOf(error: unknown): ExportMessage {
  if (['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')) return { is: 'no-room' }
  if (error instanceof ExportRefused) return { is: 'refused', message: error.message }
  return {
    is: 'error',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }
}

process.once('message', (job: ExportJob) => {
  void exportAll(job)
    .then((): ExportMessage => ({ is: 'done' }), wordOf)
    .then(send)
    .then(() => process.exit())
})

/**
 * Creates a stream that writes to a new file at first, and later to a reader. Calls `onKept` for each chunk in the
 * file.
 */
async function createSpool(file: string, onKept: () => void) {
  const handle = await open(file, 'wx', 0o600)
  const target = new PassThrough()
  let reader: Writable | undefined
  const take = async () => {
    const rest = (target as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    let next = await rest.next()
    for (; reader === undefined && next.done !== true; next = await rest.next()) {
      await handle.appendFile(next.value)
      onKept()
    }
    await handle.close()
    if (reader === undefined) return
    const all = async function* () {
      yield* createReadStream(file)
      for (; next.done !== true; next = await rest.next()) yield next.value
    }
    await pipeline(all, reader)
  }
  const taken = take()
  taken.catch((error: Error) => target.destroy(error))
  return {
    target,
    /** Resolves when everything was written to the file or the reader. */
    taken,
    /** From now on passes everything to `to`, the file's content first. */
    passOn: (to: Writable): void => {
      reader = to
    },
  }
}
