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
  const ids = new Map<string, number>()
  let created = 0
  for (const picture of pictures) {
    const known = files.get(`${picture.name}.png`)
    ids.set(
      picture.name,
      known ?? (await upload(client, picture, Math.round(width * picture.share))),
    )
    if (known === undefined) created++
  }
  return { ids, created }
}

async function upload(client: ApiClient, picture: Picture, width: number): Promise<number> {
  const { name, motif, alternativeText, caption, ratio } = picture
  const png = drawPicture(motif, name, width, Math.round(width / ratio))
  const form = new FormData()
  form.append('files', new Blob([png], { type: 'image/png' }), `${name}.png`)
  form.append('fileInfo', JSON.stringify({ alternativeText, caption }))
  const [file] = await client.post<readonly Readonly<{ id: number }>[]>('/api/upload', form)
  if (file === undefined) throw new Error(`The upload of ${name}.png was answered with no file`)
  return file.id
}
