import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from 'mongodb'
import { createGridfsProvider } from '../../server/upload/providers/gridfs.js'
import { createLocalProvider } from '../../server/upload/providers/local.js'
import { createS3Provider } from '../../server/upload/providers/s3.js'
import type { StorageProvider } from '../../server/upload/storage-provider.js'
import { s3Credentials, s3Server } from '../support/s3-server.js'

/** A store for the files of a service, and the environment that makes a service use it. */
export type MediaStore = Readonly<{
  /** Opens a provider in addition to the service's own. The caller closes it. */
  openProvider: (db: Db) => StorageProvider
  env: Readonly<Record<string, string>>
  /** Sets the time of all content in the store to two hours ago. */
  age: (db: Db) => Promise<unknown>
  /** Lists everything in the store that is not a complete file. The provider only lists complete files. */
  rest: (db: Db) => Promise<readonly string[]>
}>

/** Returns undefined if the store is S3 and no S3 server is installed. */
export type OpenStore = (dataDir: string) => Promise<MediaStore | undefined>

/** The stores by provider, for tests that run with all of them. */
export const mediaStores: Readonly<Record<StorageProvider['name'], OpenStore>> = {
  local: (dataDir) => {
    const folder = join(dataDir, 'uploads')
    return Promise.resolve({
      openProvider: () => createLocalProvider(folder),
      env: {},
      age: () => ageFolder(folder),
      rest: async () =>
        (await namesIn(folder)).filter((file) => file.startsWith('.') && file !== '.quire-uploads'),
    })
  },
  gridfs: () =>
    Promise.resolve({
      openProvider: (db) => createGridfsProvider(db),
      env: { UPLOAD_PROVIDER: 'gridfs' },
      age: (db) =>
        db.collection('_media.files').updateMany({}, { $set: { uploadDate: longAgo() } }),
      rest: restOfGridfs,
    }),
  s3: openS3Store,
}

/** Creates a bucket on a real S3 server. Returns undefined if none is installed. */
export async function openS3Store(): Promise<MediaStore | undefined> {
  const options = await (await s3Server())?.makeBucket()
  if (options === undefined) return undefined
  const { bucket, region, endpoint, prefix, folder } = options
  return {
    openProvider: () => createS3Provider(options),
    age: () => ageFolder(folder),
    // The server keeps the parts of unfinished uploads in this folder.
    rest: async () =>
      (await namesIn(join(folder, '.sgwtmp'))).filter((file) => !/^[^/]*$/.test(file)),
    env: {
      UPLOAD_PROVIDER: 's3',
      UPLOAD_S3_BUCKET: bucket,
      UPLOAD_S3_REGION: region,
      UPLOAD_S3_ENDPOINT: endpoint,
      UPLOAD_S3_PREFIX: prefix,
      UPLOAD_S3_FORCE_PATH_STYLE: 'true',
      UPLOAD_S3_ACCESS_KEY_ID: s3Credentials.accessKeyId,
      UPLOAD_S3_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
    },
  }
}

const longAgo = (): Date => new Date(Date.now() - 2 * 60 * 60_000)

async function ageFolder(folder: string): Promise<void> {
  const when = longAgo()
  for (const name of await namesIn(folder)) await utimes(join(folder, name), when, when)
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder, { recursive: true }).catch(() => [])
}

async function restOfGridfs(db: Db): Promise<readonly string[]> {
  const files = await db.collection('_media.files').find().toArray()
  const begun = await db.collection('_media.begun').find().toArray()
  const chunks = db.collection('_media.chunks').find({}, { projection: { files_id: 1 } })
  const named = new Set(files.map(({ _id }) => String(_id)))
  const owners = new Set((await chunks.toArray()).map(({ files_id: id }) => String(id)))
  return [
    ...begun.map(({ _id }) => `begun ${String(_id)}`),
    ...[...owners].filter((id) => !named.has(id)),
  ]
}
