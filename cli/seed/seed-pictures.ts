import type { ApiClient } from './api-client.js'
import { articles } from './content/articles.js'
import { authors } from './content/authors.js'
import { galleryPictures } from './content/gallery.js'
import { listFiles } from './entries.js'
import { drawPicture } from './pictures/draw-picture.js'
import type { Motif } from './pictures/motif.js'

type Picture = Readonly<{
  name: string
  motif: Motif
  alternativeText: string
  caption: string | null
  /** Of width to height. */
  ratio: number
  /** Of the width of the widest pictures. */
  share: number
}>

const landscape = { ratio: 1.5, share: 1 }
const portrait = { ratio: 1, share: 1 / 3 }

/** Every picture by the name that the demo content gives it: an article's or author's slug, or its own. */
const pictures: readonly Picture[] = [
  ...articles.map(({ slug, cover }) => ({
    name: slug,
    motif: cover.motif,
    alternativeText: cover.alt,
    caption: null,
    ...landscape,
  })),
  ...authors.map(({ slug, name, avatar }) => ({
    name: slug,
    motif: avatar,
    alternativeText: `A picture chosen by ${name}`,
    caption: null,
    ...portrait,
  })),
  ...galleryPictures.map(({ name, motif, alt, caption }) => ({
    name,
    motif,
    alternativeText: alt,
    caption,
    ...landscape,
  })),
]

/** Draws and uploads the pictures that are not there yet; answers record ids of all by name. */
export async function seedPictures(
  client: ApiClient,
  width: number,
): Promise<Readonly<{ ids: ReadonlyMap<string, number>; created: number }>> {
  const files = await listFiles(client)
  const missing = pictures.filter(({ name }) => !files.has(`${name}.png`))
  const ids = new Map<string, number>()
  for (let at = 0; at < missing.length; at += together) {
    const some = missing.slice(at, at + together)
    const made = await upload(client, some, width)
    for (const [index, { name }] of some.entries()) ids.set(name, made[index] as number)
  }
  for (const { name } of pictures) {
    const known = files.get(`${name}.png`)
    if (known !== undefined) ids.set(name, known)
  }
  return { ids, created: missing.length }
}

/** Pictures of one upload: the service makes their smaller versions beside one another. */
const together = 8

async function upload(
  client: ApiClient,
  some: readonly Picture[],
  width: number,
): Promise<readonly number[]> {
  const form = new FormData()
  for (const { name, motif, alternativeText, caption, ratio, share } of some) {
    const wide = Math.round(width * share)
    const png = drawPicture(motif, name, wide, Math.round(wide / ratio))
    form.append('files', new Blob([png], { type: 'image/png' }), `${name}.png`)
    form.append('fileInfo', JSON.stringify({ alternativeText, caption }))
  }
  const made = await client.post<readonly Readonly<{ id: number }>[]>('/api/upload', form)
  if (made.length !== some.length)
    throw new Error(`The upload of ${some.length} pictures was answered with ${made.length}`)
  return made.map(({ id }) => id)
}
