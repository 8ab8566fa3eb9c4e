import { isDeepStrictEqual } from 'node:util'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { objectOf, type PlainObject } from '../../engine/values/is-object.js'

export type Comparison = ReturnType<typeof compareDefinitions>

/** The source of an import, as a noun for messages. */
export type ImportOrigin = 'archive' | 'export'

/** Compares the definitions of an export with those of a project. */
export function compareDefinitions(
  exported: readonly SourcedDefinition[],
  there: readonly SourcedDefinition[],
  origin: ImportOrigin,
) {
  const own = new Map(there.map((definition) => [definition.uid, definition]))
  const missing = exported.filter(({ uid }) => !own.has(uid))
  const found = exported.flatMap((one) => {
    const other = own.get(one.uid)
    return other === undefined ? [] : differencesOf(one, other, origin)
  })
  return {
    missing,
    differences: found.map(({ text }) => text),
    /** The subset of `differences` that affects how entries are stored, not only which values are allowed. */
    storage: found.flatMap(({ text, isStorage }) => (isStorage ? [text] : [])),
    differing: new Set(found.map(({ uid }) => uid)),
  }
}

type Difference = Readonly<{ uid: string; text: string; isStorage: boolean }>
type Compare = (what: string, one: unknown, other: unknown, isStorage?: boolean) => Difference[]

function differencesOf(
  one: SourcedDefinition,
  other: SourcedDefinition,
  origin: ImportOrigin,
): readonly Difference[] {
  const { uid } = one
  const compare: Compare = (what, mine, theirs, isStorage = true) => {
    const difference = wordsOf(mine, theirs, origin)
    if (difference === undefined) return []
    return [{ uid, text: `${uid}: ${what} ${difference} (${other.source})`, isStorage }]
  }
  const { definition: given } = one
  const { definition: there } = other
  const isExtension = given.kind === undefined
  // Members that are not compared here, such as `info`, only affect the display in an admin interface.
  const members =
    one.kind === 'component' || isExtension
      ? []
      : [
          ...compare('kind', given.kind, there.kind ?? 'collectionType'),
          ...compare('collectionName', given.collectionName, there.collectionName),
          ...compare('draft & publish', isDrafting(one), isDrafting(other)),
          ...compare('localization', isLocalized(one), isLocalized(other)),
        ]
  const own = attributesOf(one)
  const others = attributesOf(other)
  const names = new Set([...Object.keys(own), ...(isExtension ? [] : Object.keys(others))])
  return [
    ...members,
    ...[...names].flatMap((name) =>
      compare(
        `attribute "${name}"`,
        own[name],
        others[name],
        // A new attribute does not affect storage, because no exported entry has a value for it.
        own[name] !== undefined &&
          !isDeepStrictEqual(withoutRules(own[name]), withoutRules(others[name])),
      ),
    ),
  ]
}

function wordsOf(one: unknown, other: unknown, origin: ImportOrigin): string | undefined {
  if (isDeepStrictEqual(one, other)) return undefined
  if (other === undefined) return `is in the ${origin}, but not in this project`
  if (one === undefined) return `is in this project, but not in the ${origin}`
  return `is ${JSON.stringify(one)} in the ${origin}, and ${JSON.stringify(other)} in this project`
}

/** Members of an attribute that only determine which values are allowed, and who can see or search them. */
const rules: ReadonlySet<string> = new Set([
  ...['required', 'unique', 'enum', 'min', 'max', 'minLength', 'maxLength', 'regex', 'default'],
  ...['allowedTypes', 'conditions', 'writable', 'configurable', 'private', 'searchable'],
])

const withoutRules = (attribute: unknown): unknown =>
  attribute === undefined
    ? undefined
    : Object.fromEntries(Object.entries(objectOf(attribute)).filter(([name]) => !rules.has(name)))

const attributesOf = ({ definition }: SourcedDefinition): PlainObject =>
  objectOf(definition.attributes)

const isDrafting = ({ definition }: SourcedDefinition): boolean =>
  objectOf(definition.options).draftAndPublish === true

export const isLocalized = ({ definition }: Pick<SourcedDefinition, 'definition'>): boolean =>
  objectOf(objectOf(definition.pluginOptions).i18n).localized === true
