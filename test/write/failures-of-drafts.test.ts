import { expect } from 'chai'
import { actOnDocument, createDocument, updateDocument } from '../../engine/write.js'
import { component, contentType, relation } from './model.js'
import type { Writing } from './start-writing.js'
import { draft, published, refusal, startWriting } from './start-writing.js'

const note = { type: 'string', private: true, minLength: 3 }

describe('What is wrong with a draft that is published', () => {
  let writing: Writing
  let id: string
  before(async () => {
    writing = await startWriting([
      component('door.key', {
        label: { type: 'string' },
        ...{ pin: { type: 'password' }, note },
        to: relation('oneToOne', 'door'),
      }),
      contentType(
        'door',
        {
          ...{ note, pin: { type: 'password', minLength: 6 } },
          code: { type: 'string', private: true, unique: true },
          keys: { type: 'component', component: 'door.key', repeatable: true, min: 2 },
          zone: { type: 'dynamiczone', components: ['door.key'], min: 2 },
          next: { ...relation('oneToOne', 'door'), required: true },
        },
        { drafts: true },
      ),
    ])
    const { context, type } = writing
    const next = (await createDocument(context, type('door'), draft, {})).documentId
    const key = { label: 'a', pin: 'a secret', note: 'x', to: next }
    const zone = [{ __component: 'door.key', ...key }]
    const data = { note: 'y', pin: 'short', code: 'mine', keys: [key], zone }
    id = (await createDocument(context, type('door'), draft, data)).documentId
  })
  after(() => writing.stop())

  const publish = () =>
    refusal(actOnDocument(writing.context, writing.type('door'), id, published, 'publish'))
  const failure = (path: readonly string[], message: string, value?: unknown) => ({
    ...{ path, message, name: 'ValidationError' },
    ...(value === undefined ? {} : { value }),
  })

  it('is told without passwords, their hashes, and what is private', async () => {
    const shown = { label: 'a' }
    expect((await publish())['details']).to.deep.equal({
      errors: [
        failure(['note'], 'note must be at least 3 characters'),
        failure(['keys', '0', 'note'], 'keys[0].note must be at least 3 characters'),
        failure(['keys'], 'keys field must have at least 2 items', [shown]),
        failure(['zone', '0', 'note'], 'zone[0].note must be at least 3 characters'),
        failure(['zone'], 'zone field must have at least 2 items', [
          { __component: 'door.key', ...shown },
        ]),
        failure(['next'], 'next must be a `mixed` type, but the final value was: `null`.', null),
      ],
    })
  })

  it('is told of a unique value that is private by its name', async () => {
    const { context, type } = writing
    const right = { note: 'long', keys: [], zone: [], next: id }
    await createDocument(context, type('door'), published, { ...right, code: 'mine' })
    await updateDocument(context, type('door'), id, draft, right)
    expect((await publish())['details']).to.deep.equal({
      errors: [failure(['code'], 'This attribute must be unique')],
    })
  })
})
