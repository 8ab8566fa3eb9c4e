import type { Attribute } from '../../../../engine/schema/attribute.js'
import { isScalar } from '../../../../engine/schema/attribute.js'
import type { ContentType, Status, Structure } from '../../../../engine/schema/content-type.js'
import { collectionOf } from '../../../../engine/schema/content-type.js'
import type { Registry } from '../../../../engine/schema/registry.js'
import { builtIn, componentOf, typeOf } from '../../../../engine/schema/registry.js'
import type { Entry, Making } from '../../../engine/read/execute/naive/draw-world.js'
import {
  contentTypesOf,
  documentIdsOf,
  drawValue,
} from '../../../engine/read/execute/naive/draw-world.js'
import type { Draw } from '../../../engine/read/execute/naive/draw.js'
import { samples } from '../../../engine/read/execute/naive/sample-values.js'
import { listOf, type Doc, type World } from '../../../engine/read/execute/naive/world.js'
import { canFind, canPublish, canRead, canRelate, type Permissions } from './permissions.js'

type Given = Readonly<{ draw: Draw; registry: Registry; permissions: Permissions }>

type Hiding = Given & Pick<Making, 'taken' | 'nextId'>

/**
 * Replaces entries that the caller may not read with entries of another drawn world (`third`), and changes hidden
 * values in the remaining entries.
 */
export function changeWhatIsHidden(given: Given, world: World, third: World): World {
  const { registry, permissions } = given
  let lastId = 1_000_000
  const hiding = { ...given, taken: new Set<string>(), nextId: () => (lastId += 1) }
  const collections = new Map(world.collections)
  for (const type of [...contentTypesOf(registry), typeOf(registry, builtIn.adminUser)]) {
    for (const status of ['published', 'draft'] as const) {
      const name = collectionOf(type, status)
      if (status === 'draft' && !type.draftAndPublish) continue
      const docs = world.collections.get(name) ?? []
      if (type.origin === 'api' && !canRead(permissions, type, status)) {
        const hidden = canRelate(permissions, type)
          ? docs.map((doc) => changeScalars(hiding, type, doc, name))
          : someOf(hiding, type, third.collections.get(name) ?? [])
        collections.set(name, hidden)
        continue
      }
      collections.set(
        name,
        docs.map((doc) => changeDoc(hiding, type, status, doc)),
      )
    }
  }
  return { ...world, collections }
}

/**
 * Draws which documents exist. Otherwise all worlds would have the same documents, because they use the same
 * documentIds.
 */
function someOf({ draw }: Hiding, type: ContentType, docs: readonly Doc[]): readonly Doc[] {
  const existing = new Set<unknown>(draw.some(documentIdsOf(type), 6))
  return docs.filter(({ documentId }) => existing.has(documentId))
}

function changeDoc(hiding: Hiding, type: ContentType, status: Status, doc: Doc): Doc {
  const locale = typeof doc['locale'] === 'string' ? doc['locale'] : null
  const entry = {
    documentId: String(doc['documentId']),
    locale,
    collection: collectionOf(type, status),
  }
  // Callers can only see the name of an admin (docs/internals/decisions.md, "Who wrote an entry").
  if (type.uid === builtIn.adminUser)
    return { ...doc, ...changeTimes(hiding), ...changeFields(hiding, type, status, doc, entry) }
  const creators = type.populateCreatorFields ? {} : { createdBy: null, updatedBy: null }
  // If the caller may publish a draft, its content is not hidden: publishing shows it.
  const shownAs = canPublish(hiding.permissions, type) ? 'published' : status
  return { ...doc, ...creators, ...changeFields(hiding, type, shownAs, doc, entry) }
}

function changeTimes({ draw }: Hiding): Doc {
  const instant = (): unknown => draw.pick(samples.datetime).stored
  return { createdAt: instant(), updatedAt: instant(), publishedAt: instant() }
}

function changeScalars(hiding: Hiding, type: ContentType, doc: Doc, collection: string): Doc {
  const locale = typeof doc['locale'] === 'string' ? doc['locale'] : null
  const entry = { documentId: String(doc['documentId']), locale, collection }
  const scalars = [...type.attributes.values()].filter(isScalar)
  const drawn = scalars.map(
    (attribute) => [attribute.storedAs, redraw(hiding, attribute, entry)] as const,
  )
  return {
    ...doc,
    ...Object.fromEntries(drawn),
    ...changeTimes(hiding),
    publishedAt: doc['publishedAt'],
  }
}

function changeFields(
  hiding: Hiding,
  structure: Structure,
  status: Status,
  values: Doc,
  entry: Entry,
): Doc {
  const changed: Record<string, unknown> = {}
  for (const attribute of structure.attributes.values()) {
    if (attribute.type === 'relation' && !attribute.owner) continue
    const { storedAs } = attribute
    if (isHidden(hiding, attribute, status)) changed[storedAs] = redraw(hiding, attribute, entry)
    else if (attribute.type === 'component' || attribute.type === 'dynamiczone')
      changed[storedAs] = changeComponents(hiding, attribute, status, values[storedAs], entry)
  }
  return changed
}

/**
 * Whether a relation is hidden. It is not if its target can be read directly, because the target shows it from the
 * other side.
 */
function isHidden(
  { registry, permissions }: Hiding,
  attribute: Attribute,
  status: Status,
): boolean {
  if (attribute.private || attribute.type === 'password') return true
  if (attribute.type !== 'relation') return false
  const target = registry.contentTypes.get(attribute.target)
  if (target === undefined || canFind(permissions, target, status)) return false
  return !canRead(permissions, target, target.draftAndPublish ? status : 'published')
}

function changeComponents(
  hiding: Hiding,
  attribute: Extract<Attribute, { type: 'component' | 'dynamiczone' }>,
  status: Status,
  stored: unknown,
  entry: Entry,
): unknown {
  if (stored === null || stored === undefined) return stored
  const change = (value: Doc): Doc => {
    const uid = attribute.type === 'component' ? attribute.component : String(value['__component'])
    if (!hiding.registry.components.has(uid)) return value
    const component = componentOf(hiding.registry, uid)
    return { ...value, ...changeFields(hiding, component, status, value, entry) }
  }
  return Array.isArray(stored) ? listOf(stored).map(change) : change(stored as Doc)
}

const redraw = (hiding: Hiding, attribute: Attribute, entry: Entry): unknown =>
  hiding.draw.chance(20) ? null : drawValue(hiding, attribute, entry)
