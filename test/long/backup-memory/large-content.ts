import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Db } from 'mongodb'

/** The amount of content to store. */
export type Size = Readonly<{ documents: number; mediaBytes: number }>

const batch = 1000
/** Bytes of each file, except for one large file that has half of all bytes. */
const smallFileBytes = 250_000

export const largeDefinitions = {
  'content-types/story.json': {
    kind: 'collectionType',
    collectionName: 'stories',
    info: { singularName: 'story', pluralName: 'stories', displayName: 'Story' },
    attributes: {
      title: { type: 'string' },
      body: { type: 'text' },
      data: { type: 'json' },
    },
  },
}

/** Writes entries and files directly, in the format that docs/internals/storage.md describes. */
export async function storeContent(db: Db, dataDir: string, size: Size): Promise<void> {
  await storeStories(db, size.documents)
  const uploads = path.join(dataDir, 'uploads')
  await mkdir(uploads, { recursive: true })
  const large = Math.floor(size.mediaBytes / 2)
  const small = Math.max(1, Math.floor((size.mediaBytes - large) / smallFileBytes))
  const sizes = [large, ...Array.from({ length: small }, () => smallFileBytes)]
  const at = new Date()
  const files = []
  for (const [index, bytes] of sizes.entries()) {
    const hash = `file_${index}`
    await writeNoise(path.join(uploads, `${hash}.bin`), bytes, index)
    files.push({
      ...{ _id: index + 1, documentId: idOf('file', index), createdAt: at, updatedAt: at },
      ...{ name: `${hash}.bin`, hash, ext: '.bin', mime: 'application/octet-stream' },
      ...{ size: bytes / 1000, url: `/uploads/${hash}.bin`, formats: null, provider: 'local' },
    })
  }
  await db.collection<{ _id: number }>('upload_files').insertMany(files)
}

export async function storeStories(db: Db, documents: number): Promise<void> {
  const stories = db.collection<{ _id: number }>('stories')
  const at = new Date()
  for (let first = 0; first < documents; first += batch)
    await stories.insertMany(
      Array.from({ length: Math.min(batch, documents - first) }, (_, offset) => {
        const number = first + offset
        return {
          ...{ _id: number + 1, documentId: idOf('story', number), createdAt: at, updatedAt: at },
          ...{ publishedAt: at, locale: null, title: `Story ${number}` },
          body: `${number} and so on. `.repeat(100),
          data: { tags: ['a', 'b', `c${number}`], weight: number / 7 },
        }
      }),
    )
}

const idOf = (what: string, number: number): string => `${what}${String(number).padStart(12, '0')}`

/** Writes a file whose bytes differ from those of all other files. */
async function writeNoise(file: string, bytes: number, seed: number): Promise<void> {
  const block = Buffer.concat(
    Array.from({ length: 32 }, (_, at) => createHash('sha256').update(`${seed} ${at}`).digest()),
  )
  const chunk = Buffer.alloc(1_000_000, block)
  const handle = await open(file, 'w')
  try {
    for (let left = bytes; left > 0; left -= chunk.byteLength)
      await handle.write(chunk, 0, Math.min(left, chunk.byteLength))
  } finally {
    await handle.close()
  }
}

/** Returns checksums and counts of all stories and files. */
export async function digestOf(
  db: Db,
  dataDir: string,
): Promise<Readonly<Record<string, unknown>>> {
  const stories = createHash('sha256')
  let count = 0
  for await (const story of db.collection('stories').find({}, { raw: true }).sort({ _id: 1 })) {
    stories.update(story as unknown as Uint8Array)
    count += 1
  }
  const uploads = path.join(dataDir, 'uploads')
  const names = (await readdir(uploads)).filter((name) => !name.startsWith('.')).sort()
  const files = createHash('sha256')
  for (const name of names)
    for await (const chunk of createReadStream(path.join(uploads, name)))
      files.update(chunk as Buffer)
  return { count, stories: stories.digest('hex'), names, files: files.digest('hex') }
}
