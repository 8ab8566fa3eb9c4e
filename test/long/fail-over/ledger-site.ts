import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { startApp } from '../../support/start-app.js'
import { testSecrets } from '../../support/test-secrets.js'

/** The token and the environment for services that share the database of a ledger. */
export type LedgerSite = Readonly<{
  /** A full-access token that all of these services accept. */
  token: string
  /** Environment of each service, except for `DATA_DIR`. */
  env: Readonly<Record<string, string>>
}>

const i18n = { i18n: { localized: true } }
const schema = {
  'content-types/note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: true },
    pluginOptions: i18n,
    attributes: {
      title: { type: 'string', pluginOptions: i18n },
      slug: { type: 'string', unique: true, pluginOptions: i18n },
      count: { type: 'integer' },
      label: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::label.label',
        inversedBy: 'notes',
      },
    },
  },
  'content-types/label.json': {
    kind: 'collectionType',
    info: { singularName: 'label', pluralName: 'labels', displayName: 'Label' },
    attributes: {
      name: { type: 'string' },
      notes: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::note.note',
        mappedBy: 'label',
      },
    },
  },
}

/** Prepares a database and a folder of definitions, with an API token and the locales English and French. */
export async function openLedgerSite(databaseUri: string, folder: string): Promise<LedgerSite> {
  for (const [name, definition] of Object.entries(schema)) {
    const path = join(folder, 'schema', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, JSON.stringify(definition))
  }
  const app = await startApp({ databaseUri, schema })
  const french = { code: 'fr', name: 'French', isDefault: false }
  const { status } = await app.request('POST', '/i18n/locales', {
    ...{ token: app.adminJwt, body: french },
  })
  expect(status).to.be.within(200, 201)
  await app.stop()
  const env = { ...testSecrets, MONGODB_URI: databaseUri, SCHEMA_DIR: join(folder, 'schema') }
  return { token: app.token, env }
}
