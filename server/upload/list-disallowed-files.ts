import { attributesIn } from '../../engine/schema/attributes-in.js'
import { collectionsOf, type ContentType } from '../../engine/schema/content-type.js'
import { mediaTypeOf, type MediaType } from '../../engine/schema/media-type.js'
import { placeText } from '../../engine/schema/reference-places.js'
import type { Registry } from '../../engine/schema/registry.js'
import { referencesField, referenceText } from '../../engine/values/references.js'
import type { Services } from '../services.js'
import { filesIn } from './files-in.js'

/** A media attribute with `allowedTypes`, at any depth of a content-type. */
type Place = Readonly<{
  type: ContentType
  /** Such as `sections[section.hero].picture`. */
  path: string
  allowedTypes: readonly MediaType[]
}>

type FileEntry = Readonly<{ documentId: string; mime: unknown }>

/** Number of files that are looked up together. */
const batchSize = 1000
/** Maximum number of logged entries per attribute. */
const maxNamed = 10

/**
 * Logs entries with files whose type their attribute does not allow, for example because `allowedTypes` is newer than
 * the entry. Finds the entries through the index of references. Never rejects.
 */
export async function listDisallowedFiles(
  { db, registry, log }: Pick<Services, 'db' | 'registry' | 'log'>,
  stopping: AbortSignal,
): Promise<void> {
  const places = placesIn(registry())
  if (places.length === 0) return
  const found = new Map(places.map((place) => [place, new Set<string>()]))
  const compare = async (files: readonly FileEntry[]): Promise<void> => {
    for (const [place, entries] of found) {
      const listed = files.filter(isDisallowed(place)).map(textIn(place))
      if (listed.length === 0 || entries.size > maxNamed) continue
      for (const collection of collectionsOf(place.type)) {
        stopping.throwIfAborted()
        const cursor = db
          .collection<{ documentId: string }>(collection)
          .find({ [referencesField]: { $in: listed } }, { projection: { documentId: 1 } })
          .limit(maxNamed + 1)
        for (const { documentId } of await cursor.toArray()) entries.add(documentId)
      }
    }
  }
  try {
    let files: FileEntry[] = []
    const all = filesIn<FileEntry>(db, registry()).find(
      {},
      { projection: { documentId: 1, mime: 1 } },
    )
    for await (const file of all) {
      if (files.push(file) < batchSize) continue
      await compare(files)
      files = []
    }
    await compare(files)
  } catch (err) {
    if (!stopping.aborted) log.warn({ err }, 'Files in media attributes could not be checked')
    return
  }
  for (const [{ type, path, allowedTypes }, entries] of found) {
    if (entries.size === 0) continue
    const documentIds = [...entries].slice(0, maxNamed)
    const more = entries.size > maxNamed ? ', and more' : ''
    log.warn(
      { event: 'disallowed-files', uid: type.uid, path, allowedTypes, documentIds },
      `Entries of ${type.uid} have files in ${path} whose type is not in allowedTypes (${allowedTypes.join(', ')}): ${documentIds.join(', ')}${more}. The files are still served, and the entries can be saved by bodies without this attribute`,
    )
  }
}

const placesIn = (registry: Registry): readonly Place[] =>
  [...registry.contentTypes.values()].flatMap((type) =>
    [...attributesIn(type, registry)].flatMap(({ segments, attribute }): readonly Place[] => {
      if (attribute.type !== 'media' || attribute.allowedTypes.length === 0) return []
      const { storedAs, allowedTypes } = attribute
      return [{ type, path: placeText(segments, storedAs), allowedTypes }]
    }),
  )

const isDisallowed =
  ({ allowedTypes }: Place) =>
  ({ mime }: FileEntry): boolean =>
    typeof mime === 'string' && !allowedTypes.includes(mediaTypeOf(mime))

const textIn =
  ({ path }: Place) =>
  ({ documentId }: FileEntry): string =>
    referenceText(path, documentId)
