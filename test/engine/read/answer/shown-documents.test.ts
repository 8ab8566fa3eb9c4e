import { expect } from 'chai'
import { shownDocuments } from '../../../../engine/read/answer/shown-documents.js'
import type { EdgePlan } from '../../../../engine/read/plan/read-plan.js'
import type { ReadResult } from '../../../../engine/read/compile/read-result.js'
import { store } from './write-stored.js'

const fields = ['_id', 'documentId', 'locale', '_revision']
const entry = (documentId: string) => store({ _id: 1, documentId, locale: null }, fields)
const awaited = new Set(['writers'])

describe('shownDocuments', () => {
  const edge = { kind: 'edge' } as EdgePlan
  const result = {
    documents: [entry('a'), entry('b')],
    batches: new Map([[edge, [entry('b'), entry('c')]]]),
  } as unknown as ReadResult

  it('returns entries and populated entries, each once', () => {
    expect(shownDocuments(result, 3, awaited)).to.deep.equal({
      documentIds: ['a', 'b', 'c'],
      awaited: ['writers'],
    })
  })

  it('returns no documentIds if there are more than the limit', () => {
    expect(shownDocuments(result, 2, awaited)).to.deep.equal({
      documentIds: undefined,
      awaited: ['writers'],
    })
  })
})
