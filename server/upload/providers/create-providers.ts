import type { Db } from 'mongodb'
import type { Providers, StorageProvider } from '../storage-provider.js'
import { createGridfsProvider } from './gridfs.js'
import { createLocalProvider } from './local.js'

type ProviderParts = Readonly<{
  /** Of the GridFS provider. */
  db: Db
  /** Of the local provider. */
  directory: string
}>

/** The one place where providers are made. */
export function createProviders({ db, directory }: ProviderParts): Providers {
  return chooseProvider('local', [createLocalProvider(directory), createGridfsProvider(db)])
}

/** Throws where there is none of that name. */
export function chooseProvider(
  name: StorageProvider['name'],
  made: readonly StorageProvider[],
): Providers {
  const chosen = made.find((provider) => provider.name === name)
  if (chosen === undefined) throw new Error(`There is no provider "${name}"`)
  return {
    chosen,
    byName: (asked) => made.find((provider) => provider.name === asked),
    all: [chosen, ...made.filter((provider) => provider !== chosen)],
  }
}
