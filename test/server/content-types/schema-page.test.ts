import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { relationKinds } from '../../../engine/schema/define/define-relation.js'
import { scalarTypes } from '../../../engine/values/scalar-type.js'
import { startApp } from '../../support/start-app.js'

const read = async (path: string): Promise<string> =>
  readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8')

describe('docs/schema.md', () => {
  it('contains a definition that a service can serve', async () => {
    const [, article = ''] = /```json\n([^]*?)```/.exec(await read('docs/schema.md')) ?? []
    const ofModel = async (path: string): Promise<object> =>
      JSON.parse(await read(`test/conformance/model/${path}`)) as object
    const component = (displayName: string): object => ({
      info: { displayName },
      attributes: { text: { type: 'string' } },
    })
    const author = await ofModel('api/author/content-types/author/schema.json')
    const app = await startApp({
      schema: {
        'content-types/article.json': JSON.parse(article) as object,
        'content-types/author.json': withoutTags(author),
        ...{ 'components/shared/seo.json': component('Seo') },
        ...{ 'components/section/hero.json': component('Hero') },
        ...{ 'components/section/quote.json': component('Quote') },
      },
    })
    try {
      const data = { title: 'Rain', views: 1, seo: { text: 'wet' } }
      const made = await app.request('POST', '/api/articles?populate=*', {
        ...{ token: app.token, body: { data } },
      })
      expect(made).to.have.nested.property('body.data.seo.text', 'wet')
    } finally {
      await app.stop()
    }
  })

  it('lists every attribute type and every relation kind', async () => {
    const [, table = ''] =
      /\n## Attribute types\n([^]*?)\n## /.exec(await read('docs/schema.md')) ?? []
    const rows = table.split('\n').flatMap((line) => line.split('|')[1] ?? [])
    const listed = [...rows.join().matchAll(/`(\w+)`/g)].map(([, name]) => name)
    const structural = ['relation', 'media', 'component', 'dynamiczone']
    expect(listed).to.have.members([...scalarTypes, ...structural])
    for (const kind of relationKinds) expect(table).to.include(`\`${kind}\``)
  })
})

function withoutTags(author: object): object {
  const { attributes, ...others } = author as { attributes: Record<string, unknown> }
  const remaining = Object.entries(attributes).filter(([name]) => name !== 'favorite')
  return { ...others, attributes: Object.fromEntries(remaining) }
}
