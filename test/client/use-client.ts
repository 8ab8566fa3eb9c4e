import type * as Module from '../../client/main.js'
import type { Quire } from './quire.js'

/** The results of `useClient`. */
export type Seen = Readonly<{
  names: readonly string[]
  refused: Readonly<{ isOurs: boolean; status: number; name: string }>
  statuses: readonly number[]
  file: string
  count: unknown
  ended: string
}>

/** Uses every runtime feature of the client. Its text runs in other runtimes, so it can use only its parameters. */
export async function useClient(
  { createClient, QuireError }: typeof Module,
  { baseUrl, token, name }: Readonly<{ baseUrl: string; token: string; name: string }>,
): Promise<Seen> {
  const client = createClient<Quire>({ baseUrl, token })
  const tags = client.collection('tags')
  const { data: made } = await tags.create({ name: `${name} é` })
  await tags.update(made.documentId, { name: `${name} ü` })
  const { data: found } = await tags.find({
    filters: { $or: [{ name: { $startsWith: `${name} ` } }, { documentId: 'none' }] },
    sort: ['name'],
  })
  const error: unknown = await tags.findOne('none').then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const bulk = await tags.bulk(
    [
      { op: 'create', data: { name: `${name} more` } },
      { op: 'delete', documentId: made.documentId },
    ],
    { idempotencyKey: name },
  )
  const [file] = await client.files.upload({
    ...{ content: new Blob(['a'], { type: 'text/plain' }), fileName: `${name}.txt` },
  })
  const groups = await tags.aggregate({ count: '*', filters: { name: `${name} ü` } })
  // Larger than what a service reads at once.
  const large = { content: new Blob(['a'.repeat(5_000_000)]), fileName: 'large.txt' }
  const ended: unknown = await client.files.upload(large, undefined, { timeoutMs: 0 }).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const refused = error instanceof QuireError ? error : { status: 0, name: String(error) }
  return {
    names: found.map((tag) => tag.name),
    refused: {
      ...{ isOurs: error instanceof QuireError, status: refused.status, name: refused.name },
    },
    statuses: bulk.data.map(({ status }) => status),
    file: file?.name ?? '',
    count: groups.data[0]?.count,
    ended: (ended as Readonly<{ name: string }> | undefined)?.name ?? '',
  }
}

/** Returns the results that every runtime must give. */
export const seenBy = (name: string): Seen => ({
  names: [`${name} ü`],
  refused: { isOurs: true, status: 404, name: 'NotFoundError' },
  statuses: [201, 204],
  file: `${name}.txt`,
  count: 0,
  ended: 'TimeoutError',
})
