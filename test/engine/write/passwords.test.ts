import { verify } from '@node-rs/argon2'
import { expect } from 'chai'
import type { Document } from 'mongodb'
import { createDocument, updateDocument } from '../../../engine/write.js'
import { component, contentType } from './model.js'
import type { Writing } from './start-writing.js'
import { draft, published, startWriting } from './start-writing.js'

const lock = { label: { type: 'string' }, pin: { type: 'password', minLength: 4 } }

describe('passwords in documents and components', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting([
      component('safe.lock', lock),
      component('safe.door', {
        locks: { type: 'component', component: 'safe.lock', repeatable: true },
      }),
      contentType(
        'safe',
        {
          ...lock,
          door: { type: 'component', component: 'safe.door' },
          zone: { type: 'dynamiczone', components: ['safe.lock'] },
        },
        { drafts: true },
      ),
    ])
  })
  after(() => writing.stop())

  const hashes = async (collection: string): Promise<unknown[]> => {
    const [safe = {}] = await writing.stored(collection)
    const { locks } = safe['door'] as { locks: Document[] }
    return [safe, ...locks, ...(safe['zone'] as Document[])].map((one) => one['pin'] as unknown)
  }

  it('are hashed everywhere, and stay unchanged through updates and a later publish', async () => {
    const { context, type } = writing
    const pins = ['one 1', 'two 2', 'three 3', 'one 1']
    const [pin, second, third, again] = pins
    const data = {
      pin,
      door: { locks: [{ label: 'a', pin: second }, { pin: third }] },
      zone: [{ __component: 'safe.lock', pin: again }],
    }
    const { documentId } = await createDocument(context, type('safe'), draft, data)
    const stored = await hashes('safes.draft')
    for (const [at, hash] of stored.entries())
      expect(await verify(String(hash), pins[at] ?? '')).to.equal(true)
    const [safe] = await writing.stored('safes.draft')
    const door = safe?.['door'] as { id: number; locks: { id: number }[] }
    const [a, b] = door.locks
    const locks = [{ id: a?.id, label: 'A' }, { id: b?.id }]
    const edit = { door: { id: door.id, locks } }
    await updateDocument(context, type('safe'), documentId, published, edit)
    expect(await hashes('safes.draft')).to.deep.equal(stored)
    expect(await hashes('safes')).to.deep.equal(stored)
    await updateDocument(context, type('safe'), documentId, published, { pin: null })
    expect((await hashes('safes'))[0]).to.equal(null)
  })
})
