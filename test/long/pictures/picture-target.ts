import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { fullGrant } from '../../../engine/schema/grant.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { startQuire } from '../../../server/lifecycle/start.js'
import { loadConfig } from '../../../server/settings/config.js'
import { writeFiles } from '../../support/temporary-folder.js'

/** A service to which everybody may upload, with one article that everybody may read. */
export type PictureTarget = Readonly<{
  folder: string
  environment: Readonly<Record<string, string>>
  documentId: string
  remove: () => Promise<void>
}>

const article = {
  kind: 'collectionType',
  collectionName: 'articles',
  info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
  options: {},
  attributes: { title: { type: 'string' } },
}

export async function makePictureTarget(): Promise<PictureTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-pictures-'))
  const place = 'schema/api/article/content-types/article/schema.json'
  await writeFiles(folder, { [place]: article })
  const environment = { DATA_DIR: join(folder, 'data'), SCHEMA_DIR: join(folder, 'schema') }
  const config = loadConfig({ ...environment, HOST: '127.0.0.1', PORT: '0' }, folder)
  const quire = await startQuire(config, { log: pino({ level: 'silent' }) })
  const { db, documents, registry } = quire.services
  const type = typeOf(registry(), 'api::article.article')
  const { documentId } = await documents.create(
    type,
    { title: 'Read meanwhile' },
    { grant: fullGrant, actor: null },
  )
  const permissions = ['api::article.article.findOne', 'plugin::upload.content-api.upload']
  await db
    .collection<{ permissions: string[] }>('roles')
    .updateOne({ type: 'public' }, { $addToSet: { permissions: { $each: permissions } } })
  await quire.stop()
  return {
    folder,
    environment,
    documentId,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
