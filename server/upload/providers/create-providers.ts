import type { Db } from 'mongodb'
import type { Providers, StorageProvider } from '../storage-provider.js'
import { createGridfsProvider } from './gridfs.js'
import { createLocalProvider } from './local.js'
import { createS3Provider } from './s3.js'
import type { S3Options } from './s3-client.js'

type ProviderParts = Readonly<{
  /** Provider for new files (`upload.provider`). */
  chosen: StorageProvider['name']
  db: Db
  directory: string
  /** Undefined if S3 is not configured. */
  s3: S3Options | undefined
}>

/** Creates all providers. Providers that are not chosen for new files still serve the files that they store. */
export function createProviders({ chosen, db, directory, s3 }: ProviderParts): Providers {
  return chooseProvider(chosen, [
    createLocalProvider(directory),
    createGridfsProvider(db),
    ...(s3 === undefined ? [] : [createS3Provider(s3)]),
  ])
}

/** Chooses the provider for new files by name. Throws if there is no such provider. */
export function chooseProvider(
  name: StorageProvider['name'],
  made: readonly StorageProvider[],
): Providers {
  const chosen = made.find((provider) => provider.name === name)
  if (chosen === undefined) throw new Error(`There is no provider "${name}"`)
  return {
    chosen,
    byName: (options) => made.find((provider) => provider.name === options),
    all: [chosen, ...made.filter((provider) => provider !== chosen)],
  }
}
