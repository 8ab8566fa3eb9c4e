import type { Collection, Db } from 'mongodb'
import type { Logger } from 'pino'
import { asFirstWriter } from '../../engine/database/as-first-writer.js'
import { writeConcern } from '../../engine/database/durability.js'
import type { Registry } from '../../engine/schema/registry.js'
import { ownCommand } from '../settings/own-command.js'
import type { Settings } from '../settings/settings.js'
import { filesIn } from './files-in.js'
import type { FileDocument } from './maintenance/file-documents.js'
import {
  MarkerError,
  type Providers,
  type StorageProvider,
  type StoreMarker,
} from './storage-provider.js'

type OwnStoreParts = Readonly<{
  db: Db
  files: Collection<FileDocument>
  store: StorageProvider
  /** Whether new files go to this store. */
  isChosen: boolean
  /** Whether only this process can use the database. */
  singleProcess: boolean
}>

/** Logs each store that belongs to another database. With `upload.onOtherFolder=refuse`, throws instead. */
export async function checkOwnStores(
  settings: Settings,
  {
    db,
    registry,
    providers,
    singleProcess,
    log,
  }: Pick<OwnStoreParts, 'db' | 'singleProcess'> &
    Readonly<{ registry: Registry; providers: Providers; log: Logger }>,
): Promise<void> {
  const files = filesIn<FileDocument>(db, registry)
  for (const store of providers.all) {
    const isChosen = store === providers.chosen
    const other = await findOtherStore({ db, files, store, isChosen, singleProcess }).catch(
      (error: unknown) => {
        if (error instanceof MarkerError) return error.message
        throw error
      },
    )
    if (other === undefined) continue
    if (settings['upload.onOtherFolder'] === 'refuse') throw new Error(other)
    log.warn({ event: 'other-upload-folder' }, other)
  }
}

/**
 * Returns a message if a store does not belong to this database. If there is no record yet, records the chosen store
 * (docs/internals/decisions.md, "One folder of uploads"). Throws `MarkerError` and errors of the database.
 */
export async function findOtherStore(parts: OwnStoreParts): Promise<string | undefined> {
  const { db, files, store, isChosen, singleProcess } = parts
  const { marker } = store
  if (marker === undefined) return undefined
  const known = await knownMarker(db, store)
  if (known === undefined) {
    if (!isChosen) return undefined
    // Create the marker first, so that a start that is killed in between can be repeated.
    const made = await marker.readOrMake()
    return (await rememberFirst(db, store, made)) === made ? undefined : describeOther(marker, true)
  }
  const found = await marker.read()
  if (found === known) return undefined
  const isUsed =
    (await files.findOne({ provider: store.name }, { projection: { _id: 1 } })) !== null
  if (!isUsed && !isChosen) return undefined
  // Adopt the store: no entry refers to it and no other process uses the database, so no file can be missing.
  if (!isUsed && singleProcess) return void (await adoptStore(db, store))
  return describeOther(marker, found !== undefined)
}

/** Throws if a store is not the one that is recorded for this database, or its marker cannot be read. */
export async function checkOwnStore(db: Db, store: StorageProvider): Promise<void> {
  if (store.marker === undefined) return
  const known = await knownMarker(db, store)
  if (known === undefined) return
  const found = await store.marker.read()
  if (found !== known) throw new Error(describeOther(store.marker, found !== undefined))
}

/** Records that a store belongs to this database. Replaces the previous record, if any. */
export async function adoptStore(db: Db, store: StorageProvider): Promise<void> {
  if (store.marker === undefined) return
  const marker = await store.marker.readOrMake()
  const options = { upsert: true, ...(await writeConcern(db, true)) }
  await knownIn(db).updateOne({ _id: idOf(store) }, { $set: { marker } }, options)
}

const idOf = ({ name }: StorageProvider): string => `files-in-${name}`

const knownIn = (db: Db) => db.collection<{ _id: string; marker: string }>('_settings')

async function knownMarker(db: Db, store: StorageProvider): Promise<string | undefined> {
  return (await knownIn(db).findOne({ _id: idOf(store) }))?.marker
}

/** Records a marker unless the database has one. Returns the recorded one. */
async function rememberFirst(
  db: Db,
  store: StorageProvider,
  marker: string,
): Promise<string | undefined> {
  const concern = await writeConcern(db, true)
  const first = await asFirstWriter(() =>
    knownIn(db).findOneAndUpdate(
      { _id: idOf(store) },
      { $setOnInsert: { marker } },
      { upsert: true, returnDocument: 'after', ...concern },
    ),
  )
  return first?.marker
}

const describeOther = ({ where }: StoreMarker, isMarked: boolean): string =>
  `${where} is not the upload folder of this database: ` +
  (isMarked
    ? 'its marker is that of another database or instance. '
    : 'it has no marker. It may belong to another instance, or its volume may be new or not mounted. ') +
  'Other instances cannot find files that are uploaded here, and this instance cannot find theirs. ' +
  'Let all instances share one folder, or store files in the database or in S3 (upload.provider). ' +
  `If this is the correct folder, for example after a restore: ${ownCommand('media adopt')} (${ownCommand('media check')} lists missing files)`
