import '../../processes/end-with-parent.js'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ownDatabase } from '../../../engine/database/own-database.js'
import { steadyNow } from '../../../engine/steady-now.js'
import { createRegistryFrom } from '../../../engine/schema/define-registry.js'
import { readDefinitions } from '../../content-types/definition-store.js'
import { sourced } from '../../content-types/merge-definitions.js'
import { connectDatabase } from '../../database/connect.js'
import { withFolders } from '../../upload/folders/folder-types.js'
import { createProviders } from '../../upload/providers/create-providers.js'
import { packingOf } from '../archive/compression.js'
import { writeTar } from '../archive/write-tar.js'
import { atOneMoment, ExportRefused } from '../choose-moment.js'
import { exportAt } from '../export-at.js'
import { createFileNames } from '../file-names.js'
import { selectionOf } from '../selection.js'
import { archivePipe, type ExportJob, type ExportOrder, type ExportWord } from './export-job.js'

/**
 * The process that exports for a service: reading, hashing and packing would hold up the service's event loop. What the
 * database holds it first writes into a file, so that no reader of the archive is waited for while writes are.
 */

let go: () => void = () => undefined
const told = new Promise<void>((resolve) => {
  go = resolve
})

async function exportAll(job: ExportJob): Promise<void> {
  const client = await connectDatabase(job.uri, { appName: 'quire export' })
  const db = await ownDatabase(client)
  const { definitions, version } = await readDefinitions(db)
  const registry = withFolders(createRegistryFrom(definitions.map(sourced), version))
  const selection = selectionOf(job.asked, registry.contentTypes.keys())
  const { chosen, uploads: directory, s3, quire, hasTokenSalt, folder } = job
  const providers = createProviders({ chosen, db, directory, s3 })
  const names = await createFileNames(join(folder, 'files-'))
  const spool = await createSpool(join(folder, 'documents'), everySecond(sayReading))
  const tar = writeTar(spool.target, packingOf(job.form))
  await say({ is: 'ready' })
  await told
  await atOneMoment({ db, alone: job.alone }, job.live, async (moment) => {
    const whenRead = async (): Promise<void> => {
      spool.passOn(new Socket({ fd: archivePipe, readable: false, writable: true }))
      await say({ is: 'read' })
    }
    const parts = { db, registry, selection, secrets: false, providers, names, tar, whenRead }
    await exportAt({ ...parts, quire, hasTokenSalt, progress: () => undefined }, moment)
  })
  await tar.finish()
}

const say = (word: ExportWord): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined) resolve()
    else process.send(word, () => resolve())
  })

const sayReading = (): void => void say({ is: 'reading' })

/** Does it when it is called and a second has passed since it did it last. */
function everySecond(act: () => void): () => void {
  let last = steadyNow()
  return () => {
    if (steadyNow() - last < 1000) return
    last = steadyNow()
    act()
  }
}

function wordOf(error: unknown): ExportWord {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') return { is: 'no-room' }
  if (error instanceof ExportRefused) return { is: 'refused', message: error.message }
  return {
    is: 'error',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }
}

process.on('message', (order: ExportOrder) => {
  if (order.is === 'go') return go()
  return void exportAll(order.job)
    .then((): ExportWord => ({ is: 'done' }), wordOf)
    .then(say)
    .then(() => process.exit())
})

/** What is written goes into a file, and from some point on to a reader, after all that is in the file. */
type Spool = Readonly<{
  target: Writable
  /** From here on what is written goes to `reader`, which takes what was kept before as well. */
  passOn: (reader: Writable) => void
}>

/**
 * @param file new; it is removed by whoever has its folder
 * @param onKept called when a part of it was written into the file
 */
async function createSpool(file: string, onKept: () => void): Promise<Spool> {
  const handle = await open(file, 'wx', 0o600)
  let reader: Writable | undefined
  let isKept = true
  const take = async (chunk: Uint8Array): Promise<void> => {
    if (reader !== undefined) return send(await begun(reader), chunk)
    await handle.appendFile(chunk)
    onKept()
  }
  /** The reader, when it has what was kept. */
  const begun = async (to: Writable): Promise<Writable> => {
    if (isKept) {
      isKept = false
      await handle.close()
      await pipeline(createReadStream(file), to, { end: false })
    }
    return to
  }
  return {
    target: new Writable({
      write: (chunk: Uint8Array, _encoding, done) => void take(chunk).then(() => done(), done),
      final: (done) =>
        void (reader === undefined ? handle.close() : end(begun(reader))).then(() => done(), done),
    }),
    passOn: (to) => {
      reader = to
    },
  }
}

const end = async (reader: Promise<Writable>): Promise<void> => {
  const to = await reader
  await new Promise<void>((resolve, reject) => {
    to.once('error', reject)
    to.end(resolve)
  })
}

/** Resolves when it was taken over: a reader that is slow is waited for. */
const send = (reader: Writable, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    reader.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
