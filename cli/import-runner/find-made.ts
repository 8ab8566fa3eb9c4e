import type { Db } from 'mongodb'
import { collectionsOf, type ContentType } from '../../engine/schema/content-type.js'
import { builtIn, type Registry } from '../../engine/schema/registry.js'
import { isFirstRole } from '../../server/accounts/roles/first-roles.js'
import { firstLocale } from '../../server/locales/locales.js'

type Entry = Readonly<Record<string, unknown>>
type FirstOnes = Readonly<{ isFirst: (entry: Entry) => boolean; what: (entry: Entry) => string }>

/** The types for which the service creates entries at its first start. `isFirst` recognizes these entries. */
export const madeAtStart: ReadonlyMap<string, FirstOnes> = new Map([
  [builtIn.role, { isFirst: isFirstRole, what: ({ name }: Entry) => `the role ${named(name)}` }],
  [
    builtIn.locale,
    {
      isFirst: ({ code, name }: Entry) => code === firstLocale.code && name === firstLocale.name,
      what: ({ code }: Entry) => `the locale ${named(code)}`,
    },
  ],
])

const maxShown = 3

/**
 * Describes the content that people have created and that an import would replace. Leaves out what a service creates at
 * its first start.
 */
export async function findMade(
  db: Db,
  registries: readonly Registry[],
  isReplaced: (uid: string) => boolean,
): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const { contentTypes } of registries)
    for (const type of contentTypes.values()) {
      if (!isReplaced(type.uid)) continue
      const first = madeAtStart.get(type.uid)
      if (first === undefined) {
        if (await hasEntries(db, type)) found.add(type.uid)
      } else for (const one of await othersThan(db, type, first)) found.add(one)
    }
  return [...found]
}

/** Whether a type has entries, published or drafts. */
export async function hasEntries(db: Db, type: ContentType): Promise<boolean> {
  for (const name of collectionsOf(type))
    if ((await db.collection(name).findOne({}, { projection: { _id: 1 } })) !== null) return true
  return false
}

async function othersThan(
  db: Db,
  type: ContentType,
  { isFirst, what }: FirstOnes,
): Promise<readonly string[]> {
  const made: string[] = []
  for await (const entry of db.collection(type.collectionName).find().sort({ _id: 1 })) {
    if (isFirst(entry)) continue
    if (made.length === maxShown) return [...made, '…']
    made.push(what(entry))
  }
  return made
}

const named = (value: unknown): string => JSON.stringify(String(value).slice(0, 100))
