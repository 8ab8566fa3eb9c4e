import { expect } from 'chai'
import type { Collection, Db, Document } from 'mongodb'
import type { Touched } from '../../../engine/repair.js'
import type { Registry } from '../../../engine/schema/registry.js'
import { runRepair } from '../../../server/repair/run-repair.js'
import type { Answer } from '../../support/request.js'
import { albumsAndLabels } from '../../engine/write/model.js'

/** Sends a write: `write('PUT', 'albums/x', { rank: 1 })`. */
export type Send = (method: string, path: string, data?: object) => Promise<Answer>

const types = albumsAndLabels({
  album: { code: { type: 'string', unique: true }, rank: { type: 'integer' } },
})

/** What `CrashLoad` writes, by file. */
export const crashModel = Object.fromEntries(
  types.map(({ uid, definition }) => [`content-types/${uid.slice(5)}.json`, definition as object]),
)

/** What a client knows of a document that it wrote. */
type Known = {
  documentId: string
  /** The highest rank that was acknowledged. */
  rank: number
  /** Whether a delete was sent, and whether it was answered. */
  deleting: boolean
  deleted: boolean
}

/** Writes of every kind by several clients while something is killed, and what is to be there afterwards. */
export class CrashLoad {
  readonly #known: Known[] = []
  readonly #labels: string[] = []

  /** How many creates were acknowledged. */
  get acknowledged(): number {
    return this.#known.length
  }

  async prepare(write: Send): Promise<void> {
    for (let n = 0; n < 6; n += 1)
      this.#labels.push(documentIdOf(await write('POST', 'labels', {})))
  }

  /**
   * One client: creates, updates, publishes from the other side and deletes, until it is told to end or
   * `write` throws. What is not acknowledged may have been done or not.
   */
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
      // Another one with the same code is refused, now and after any crash.
      await answered(write('POST', 'albums', data), 400)
      const inverse = { albums: [album.documentId], whole: album.documentId }
      await answered(write('PUT', `labels/${two}${scope}`, inverse), 200)
      if (n % 4 !== 3) continue
      album.deleting = true
      album.deleted = (await answered(write('DELETE', path), 204)) !== undefined
    }
  }

  /** Expects what was acknowledged, and nothing to repair after one repair of what writes said that they touch. */
  async check(db: Db, registry: Registry, round: number): Promise<void> {
    const ranks = await ranksBy(db.collection('albums.draft'))
    const live = await ranksBy(db.collection('albums'))
    for (const { documentId, rank, deleting, deleted } of this.#known) {
      if (deleted) expect(ranks.has(documentId), `deleted, round ${round}`).to.equal(false)
      if (deleting) continue
      expect(ranks.get(documentId), `draft of ${documentId}, round ${round}`).to.be.least(rank)
      expect(live.has(documentId), `published ${documentId}, round ${round}`).to.equal(true)
    }
    const touched = await db.collection<Touched & Document>('_underway').find().toArray()
    await runRepair({ db, registry, mends: true, touched })
    const second = await runRepair({ db, registry, mends: false })
    expect(second, `second repair, round ${round}`).to.deep.equal([])
    const codes = await db.collection('albums').distinct('code')
    expect(await db.collection('albums').countDocuments({})).to.equal(codes.length)
  }
}

/** The answer where the write is acknowledged; undefined where nobody knows. */
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
