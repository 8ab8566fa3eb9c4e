import { expect } from 'chai'
import type { Answer } from '../../../../engine/read/execute/bind-relations.js'
import { fitting } from '../../../../engine/read/execute/bind-relations.js'
import type { Joined, Keys } from '../../../../engine/read/plan/bound-query.js'
import { always } from '../../../../engine/read/plan/read-plan.js'
import type { Link } from '../../../../engine/read/plan/read-plan.js'

describe('fitting', () => {
  const link: Link = {
    ...{ collection: 'authors', stored: 'here', path: 'author', many: false },
    locale: { kind: 'none' },
  }
  const keys: Keys = { kind: 'keys', path: 'author.documentId', values: ['a', 'b'] }
  const joined: Joined = {
    kind: 'joined',
    link,
    test: { kind: 'satisfies', of: always },
  }
  const author = { purpose: 'filter', through: 'author', collection: 'authors' } as const
  const found = { ...author, keys: 200, maxKeys: 300 }
  const answer: Answer = {
    condition: { kind: 'any', of: [keys, { kind: 'none', of: [keys] }] },
    inLookup: joined,
    choices: [{ ...found, form: 'keys' }],
  }

  it('keeps key lists that fit into one command', () => {
    expect(fitting(answer, 4)).to.deep.equal({ match: answer.condition, choices: answer.choices })
  })

  it('replaces key lists with a lookup if they are too long together', () => {
    expect(fitting(answer, 3)).to.deep.equal({
      match: joined,
      choices: [{ ...found, form: 'lookup', maxKeys: 100 }],
    })
  })
})
