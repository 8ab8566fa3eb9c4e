import { adoptStore } from '../../server/upload/own-store.js'
import type { Media } from './media.js'

/** Makes the folder of uploads the one that the files of the database are in, whichever was before. */
export async function adoptFolder({ db, providers }: Media): Promise<boolean> {
  for (const store of providers.all)
    if (store.marker !== undefined) {
      await adoptStore(db, store)
      console.log(`The files of the database are in ${store.marker.where} from now on.`)
    }
  return true
}
