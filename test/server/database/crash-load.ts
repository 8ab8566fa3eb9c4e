import { expect } from 'chai'
import type { Collection, Db, Document } from 'mongodb'
import type { AffectedData } from '../../../engine/repair.js'
import type { Registry } from '../../../engine/schema/registry.js'
import { runRepair } from '../../../server/repair/run-repair.js'
import type { Answer } from '../../support/request.js'
import { albumsAndLabels } from '../../engine/write/model.js'

/** Sends a request, for example `write('PUT', 'albums/x', { rank: 1 })`. */
export type Send = (method: string, path: string, data?: object) => Promise<Answer>

const types = albumsAndLabels({
  album: { code: { type: 'string', unique: true }, rank: { type: 'integer' } },
})

/** Definitions by file. */
export const crashModel = Object.fromEntries(
  types.map(({ uid, definition }) => [`content-types/${uid.slice(5)}.json`, definition as object]),
)

/** What a client knows about a document that it wrote. */
type Known = {
  documentId: string
  rank: number
  /** `deleting`: a delete was sent. `deleted`: a delete was acknowledged. */
  deleting: boolean
  deleted: boolean
}

/** Clients that write in every way while a process is killed again and again, and a check of what they have written. */
export class CrashLoad {
  readonly #known: Known[] = []
  readonly #labels: string[] = []

  get acknowledged(): number {
    return this.#known.length
  }

  async prepare(write: Send): Promise<void> {
    for (let n = 0; n < 6; n += 1)
      this.#labels.push(documentIdOf(await write('POST', 'labels', {})))
  }

  /** Runs a client that creates, updates, publishes and deletes, until `isOver` returns true or `write` throws. */
  async run(write: Send, client: string, isOver: () => boolean): Promise<void> {
    for (let n = 0; !isOver(); n += 1) {
      const [one, two] = [this.#labels[n % 6] ?? '', this.#labels[(n + 1) % 6] ?? '']
      const data = { code: `${client} ${n}`, rank: 0, labels: [one, two] }
      const created = await answered(
        write('POST', 'albums', { ...data, parts: [one], partner: one }),
        201,
      )
      if (created === undefined) continue
      const album = { documentId: documentIdOf(created), rank: 0, deleting: false, deleted: false }
      this.#known.push(album)
      const path = `albums/${album.documentId}`
      const scope = n % 3 === 0 ? '?status=draft' : ''
      if (await answered(write('PUT', `${path}${scope}`, { rank: 1, parts: [two] }), 200))
        album.rank = 1
      // A second document with the same code must be rejected, now and after all crashes.
      await answered(write('POST', 'albums', data), 400)
      const inverse = { albums: [album.documentId], whole: album.documentId }
      await answered(write('PUT', `labels/${two}${scope}`, inverse), 200)
      if (n % 4 !== 3) continue
      album.deleting = true
      album.deleted = (await answered(write('DELETE', path), 204)) !== undefined
    }
  }

  /**
   * Checks that the database contains all acknowledged writes, and that nothing needs repair after the journaled
   * documents were repaired.
   */
  async check(db: Db, registry: Registry, round: number): Promise<void> {
    const ranks = await ranksBy(db.collection('albums.draft'))
    const live = await ranksBy(db.collection('albums'))
    for (const { documentId, rank, deleting, deleted } of this.#known) {
      if (deleted) expect(ranks.has(documentId), `deleted, round ${round}`).to.equal(false)
      if (deleting) continue
      expect(ranks.get(documentId), `draft of ${documentId}, round ${round}`).to.be.least(rank)
      expect(live.has(documentId), `published ${documentId}, round ${round}`).to.equal(true)
    }
    const affected = await db.collection<AffectedData & Document>('_underway').find().toArray()
    await runRepair({ db, registry, repairs: true, affected })
    const second = await runRepair({ db, registry, repairs: false })
    expect(second, `second repair, round ${round}`).to.deep.equal([])
    const codes = await db.collection('albums').distinct('code')
    expect(await db.collection('albums').countDocuments({})).to.equal(codes.length)
  }
}

async function answered(write: Promise<Answer>, status: number): Promise<Answer | undefined> {
  const answer = await write
  expect(answer.status, answer.text).to.be.oneOf([status, 503])
  return answer.status === status ? answer : undefined
}

function documentIdOf({ body }: Answer): string {
  return (body as { data: { documentId: string } }).data.documentId
}

async function ranksBy(collection: Collection): Promise<Map<string, number>> {
  const versions = await collection.find({}, { projection: { documentId: 1, rank: 1 } }).toArray()
  return new Map(
    versions.map((version) => [version['documentId'] as string, version['rank'] as number]),
  )
}
