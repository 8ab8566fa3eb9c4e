import '../../processes/end-with-parent.js'
import { Socket } from 'node:net'
import { join } from 'node:path'
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
import { createSpool } from './spool.js'

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
