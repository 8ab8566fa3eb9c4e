import { expect } from 'chai'
import type { Settings } from '../../../../server/settings/settings.js'
import type { TestApp } from '../../../support/test-app.js'
import { startApp } from '../../../support/start-app.js'

/** An entry as responses show it. */
export type Shown = Readonly<Record<string, unknown>> & Readonly<{ id: number; documentId: string }>

export type Notes = Readonly<{
  app: TestApp
  make: (path: string, data: object, query?: string) => Promise<Shown>
  get: (path: string, token?: string) => Promise<Shown>
  put: (path: string, data: object) => Promise<Shown>
  refusal: (method: 'GET' | 'POST' | 'PUT', path: string, data?: object) => Promise<Refusal>
}>

type Refusal = Readonly<{ message: string; details: unknown }>

const type = (
  name: string,
  attributes: Readonly<Record<string, object>>,
  options: object = {},
  pluginOptions: object = {},
): object => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options,
  pluginOptions,
  attributes,
})

const text = { type: 'string' }
const localized = { i18n: { localized: true } }

const ofNotes = { type: 'relation', target: 'api::note.note' }

const notesSchema: Readonly<Record<string, object>> = {
  'content-types/note.json': type(
    'note',
    {
      text,
      related: { type: 'relation', relation: 'morphToMany' },
      about: { type: 'relation', relation: 'morphToOne' },
      link: { type: 'component', component: 'shared.link' },
      parts: { type: 'dynamiczone', components: ['shared.link', 'shared.links'] },
    },
    { draftAndPublish: true },
  ),
  'content-types/article.json': type(
    'article',
    {
      title: { ...text, pluginOptions: localized },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
      notes: { ...ofNotes, relation: 'morphMany', morphBy: 'related' },
      mainNote: { ...ofNotes, relation: 'morphOne', morphBy: 'about' },
    },
    { draftAndPublish: true },
    localized,
  ),
  'content-types/author.json': type('author', {
    name: text,
    secret: { ...text, private: true },
    notes: { ...ofNotes, relation: 'morphMany', morphBy: 'related' },
    about: { ...ofNotes, relation: 'morphMany', morphBy: 'about' },
  }),
  'components/shared/link.json': {
    collectionName: 'components_shared_links',
    info: { displayName: 'Link' },
    attributes: { label: text, to: { type: 'relation', relation: 'morphToOne' } },
  },
  'components/shared/links.json': {
    collectionName: 'components_shared_link_lists',
    info: { displayName: 'Links' },
    attributes: { to: { type: 'relation', relation: 'morphToMany' } },
  },
}

export const article = 'api::article.article'
export const author = 'api::author.author'
export const note = 'api::note.note'

export async function startNotes(
  settings: Partial<Settings> = {},
  schema: Readonly<Record<string, object>> = notesSchema,
): Promise<Notes> {
  const app = await startApp({ schema, settings })
  const ask = async (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    data?: object,
    token = app.token,
  ): Promise<Readonly<{ status: number; body: unknown }>> =>
    app.request(method, path, { token, ...(data === undefined ? {} : { body: { data } }) })
  const shown = async (...args: Parameters<typeof ask>): Promise<Shown> => {
    const { status, body } = await ask(...args)
    expect(status, `${args[0]} ${args[1]}: ${JSON.stringify(body)}`).to.be.oneOf([200, 201])
    return (body as { data: Shown }).data
  }
  return {
    app,
    make: (path, data, query = '') => shown('POST', `/api/${path}${query}`, data),
    get: (path, token) => shown('GET', `/api/${path}`, undefined, token),
    put: (path, data) => shown('PUT', `/api/${path}`, data),
    refusal: async (method, path, data) => {
      const { status, body } = await ask(method, `/api/${path}`, data)
      const { message, details } = (body as { error: Refusal }).error
      expect(status, `${method} ${path}: ${message}`).to.equal(400)
      return { message, details }
    },
  }
}

/** Returns the type (its last part) and the name of each target, such as `author Ben`. */
export const namesIn = (shown: unknown): readonly string[] =>
  (shown as readonly Readonly<Record<string, unknown>>[]).map((entry) => {
    const type = String(entry['__type']).split('.').at(-1)
    return `${type} ${String(entry['title'] ?? entry['name'] ?? entry['text'])}`
  })
