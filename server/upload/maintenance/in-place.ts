import type { Collection, Db } from 'mongodb'
import { checkOwnStore } from '../own-store.js'
import type { StorageProvider } from '../storage-provider.js'
import { namesOf } from '../store-content.js'
import { batchesOfFiles, type FileDocument } from './file-documents.js'

/**
 * Throws where a provider is not the one that this database's files are in, or has the content of none of the files that
 * name it: before anything of them is called gone.
 */
export type InPlace = (store: StorageProvider) => Promise<void>

/**
 * Remembers of each provider a file that is there and looks at that again, since a volume may go while it is in use;
 * where that is gone, another is looked for.
 */
export function createInPlace(db: Db, files: Collection<FileDocument>): InPlace {
  const witnesses = new Map<string, string>()
  const findWitness = async (store: StorageProvider): Promise<string | undefined> => {
    for await (const batch of batchesOfFiles(files, { provider: store.name }))
      for (const file of batch) {
        const [name = ''] = namesOf(file).names
        if ((await store.stat(name)) !== undefined) return name
      }
    return undefined
  }
  return async (store) => {
    await checkOwnStore(db, store)
    const known = witnesses.get(store.name)
    if (known !== undefined && (await store.stat(known)) !== undefined) return
    const found = await findWitness(store)
    if (found === undefined) throw new NothingInPlace(store.name)
    witnesses.set(store.name, found)
  }
}

const whereTo: Readonly<Record<StorageProvider['name'], string>> = {
  local: 'DATA_DIR is another, or a volume is not mounted',
  gridfs: 'the database is not the one that had them',
  s3: 'upload.s3.bucket or upload.s3.prefix is another',
}

/** One line for whoever runs the check. */
class NothingInPlace extends Error {
  constructor(name: StorageProvider['name']) {
    super(
      `None of the files in ${name} is there: perhaps ${whereTo[name]}. Nothing of them was removed, and the check ends here.`,
    )
    this.name = 'NothingInPlace'
  }
}
