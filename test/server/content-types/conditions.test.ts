import { expect } from 'chai'
import type { Condition } from '../../../engine/schema/condition.js'
import { conditionProblem, isMet } from '../../../engine/schema/condition.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'

const clip = {
  info: { singularName: 'clip', pluralName: 'clips', displayName: 'Clip' },
  options: { draftAndPublish: false },
  attributes: {
    kind: { type: 'enumeration', enum: ['video', 'audio'], required: true },
    url: {
      type: 'string',
      required: true,
      conditions: { visible: { '==': [{ var: 'kind' }, 'video'] } },
    },
    cover: {
      type: 'media',
      required: true,
      conditions: { visible: { and: [{ '==': [{ var: 'kind' }, 'video'] }, { var: 'shown' }] } },
    },
    shown: { type: 'boolean', default: false },
    number: { type: 'integer', required: true, writable: false },
    note: { type: 'string', searchable: false },
    parts: { type: 'component', component: 'clip.part', repeatable: true },
  },
}
const part = {
  info: { displayName: 'Part' },
  attributes: {
    loud: { type: 'boolean' },
    gain: {
      type: 'integer',
      required: true,
      conditions: { visible: { '!=': [{ var: 'loud' }, true] } },
    },
    fixed: { type: 'string', writable: false },
  },
}
const post = {
  info: { singularName: 'post', pluralName: 'posts', displayName: 'Post' },
  options: { draftAndPublish: true },
  attributes: clip.attributes,
}

describe('conditions.visible', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({
      schema: {
        'content-types/clip.json': clip,
        'content-types/post.json': post,
        'components/clip/part.json': part,
      },
    })
  })
  after(() => app.stop())

  const write = async (method: 'POST' | 'PUT', path: string, data: object) => {
    const { status, body } = await app.request(method, path, { token: app.token, body: { data } })
    const { error, data: made } = body as Readonly<{
      data?: { documentId: string }
      error?: { message: string }
    }>
    return { status, message: error?.message, id: made?.documentId ?? '' }
  }

  it('requires no value while it is false', async () => {
    expect(await write('POST', '/api/clips', { kind: 'audio' })).to.include({ status: 201 })
    expect(await write('POST', '/api/clips', { kind: 'audio', url: null })).to.include({
      status: 201,
    })
    expect(await write('POST', '/api/clips', { kind: 'video' })).to.include({
      ...{ status: 400, message: 'url must be defined.' },
    })
    expect(await write('POST', '/api/clips', { kind: 'video', url: 'a' })).to.include({
      status: 201,
    })
    const covered = { kind: 'video', url: 'a', shown: true }
    expect(await write('POST', '/api/clips', covered)).to.include({
      ...{ status: 400, message: 'cover must be defined.' },
    })
  })

  it('uses the values of its own component', async () => {
    const parts = (...list: readonly object[]) => ({ kind: 'audio', parts: list })
    expect(await write('POST', '/api/clips', parts({ loud: true }))).to.include({ status: 201 })
    expect(await write('POST', '/api/clips', parts({ loud: true }, { loud: false }))).to.include({
      ...{ status: 400, message: 'parts[1].gain must be defined.' },
    })
  })

  it('applies to the whole draft when that is published', async () => {
    const { id } = await write('POST', '/api/posts?status=draft', { kind: 'video' })
    expect(await write('PUT', `/api/posts/${id}`, { note: 'x' })).to.include({ status: 400 })
    expect(await write('PUT', `/api/posts/${id}`, { kind: 'audio' })).to.include({ status: 200 })
  })

  it('does not affect writable and searchable', async () => {
    expect(await write('POST', '/api/clips', { kind: 'audio', number: 1 })).to.include({
      ...{ status: 400, message: 'Invalid key number' },
    })
    const parts = [{ loud: true, fixed: 'x' }]
    expect(await write('POST', '/api/clips', { kind: 'audio', parts })).to.include({
      ...{ status: 400, message: 'Invalid key fixed at parts.fixed' },
    })
    await write('POST', '/api/clips', { kind: 'audio', note: 'thunder' })
    const found = await app.request('GET', '/api/clips?_q=thunder', { token: app.token })
    expect(found.body).to.have.nested.property('meta.pagination.total', 0)
  })

  const values = { kind: 'a', rank: 3, on: true, seo: { kind: 'x' } }
  for (const [condition, expected] of [
    [{ '==': [{ var: 'kind' }, 'a'] }, true],
    [{ '===': [{ var: 'rank' }, '3'] }, false],
    [{ '==': [{ var: 'rank' }, '3'] }, true],
    [{ '!=': [{ var: 'none' }, 'a'] }, true],
    [{ '==': [{ var: 'none' }, null] }, true],
    [{ '>=': [{ var: ['rank'] }, 3] }, true],
    [{ in: [{ var: 'kind' }, ['a', 'b']] }, true],
    [{ '!': { var: 'on' } }, false],
    [{ or: [{ '==': [{ var: 'kind' }, 'b'] }, { var: 'seo.kind' }] }, true],
    [{ var: 'constructor.name' }, false],
  ] as readonly (readonly [Condition, boolean])[])
    it(`evaluates ${JSON.stringify(condition)} to ${expected}`, () => {
      expect(conditionProblem(condition)).to.equal(undefined)
      expect(isMet(condition, values)).to.equal(expected)
    })

  it('reports a condition that it does not understand', () => {
    expect(conditionProblem({ map: [1, 2] })).to.equal('there is no condition "map"')
    expect(conditionProblem({ '==': [{ constructor: 1 }, 2] })).to.equal(
      'there is no condition "constructor"',
    )
    expect(conditionProblem({ var: {} })).to.equal('"var" should name an attribute')
    expect(conditionProblem('kind')).to.equal('should be a condition')
    const deep = JSON.parse(`${'{"!":'.repeat(30)}1${'}'.repeat(30)}`) as unknown
    expect(conditionProblem(deep)).to.equal('is nested deeper than 20')
  })
})
