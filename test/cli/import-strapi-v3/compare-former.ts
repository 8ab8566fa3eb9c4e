/** The context for comparing a response of Strapi 3 with a response of Quire. */
export type Compared = Readonly<{
  /** The new documentIds by the old ids. */
  ids: ReadonlyMap<string, string>
  locale: string
  /** Whether drafts were requested. In Quire, drafts have no `publishedAt`. */
  isDraft: boolean
}>

type Raw = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members that only Strapi 3 has: ids, row versions, admins, uses of files, a removed attribute. */
const dropped: ReadonlySet<string> = new Set([
  ...['_id', 'id', '__v', 'created_by', 'updated_by', 'related', 'legacyCode', 'path', 'nb_users'],
])

/**
 * Returns the differences from an entry of Strapi 3, by path. Expected differences do not count: documentIds,
 * `publishedAt`, null for values that were never written.
 */
export function differences(
  former: unknown,
  entry: unknown,
  compared: Compared,
): readonly string[] {
  return ofEntry(former, entry, compared, '', 0)
}

function ofEntry(
  former: unknown,
  entry: unknown,
  compared: Compared,
  at: string,
  depth: number,
): readonly string[] {
  if (!isObject(former)) return Object.is(former, entry) ? [] : [difference(at, former, entry)]
  if (!isObject(entry)) return [difference(at, former, entry)]
  const id = compared.ids.get(String(former['_id']))
  const isFile = typeof former['mime'] === 'string'
  const found: string[] = []
  if (id !== undefined && entry['documentId'] !== id)
    found.push(difference(`${at}.documentId`, id, entry['documentId']))
  // In Strapi 3 a relation has a target row in one locale. In Quire its target is a document, read in the requested
  // locale.
  const isOtherLocale =
    depth > 0 && typeof former['locale'] === 'string' && former['locale'] !== compared.locale
  if (isOtherLocale) return found
  for (const [name, value] of Object.entries(former)) {
    const isRelated = name === 'related' && !isFile
    if (dropped.has(name) && !isRelated) continue
    const place = `${at}.${name}`
    if (name === 'published_at') {
      const expected = compared.isDraft ? null : value
      if (depth === 0 && entry['publishedAt'] !== expected)
        found.push(difference(place, expected, entry['publishedAt']))
    } else if (name === 'localizations') {
      if (depth === 0) found.push(...ofLocalizations(value, entry, compared, place))
    } else found.push(...ofValue(value, entry[name], compared, place, depth + (id ? 1 : 0)))
  }
  if (depth === 0)
    for (const [name, value] of Object.entries(entry))
      if (!Object.hasOwn(former, name) && !added.has(name) && !isNothing(value))
        found.push(difference(`${at}.${name}`, undefined, value))
  return found
}

const added: ReadonlySet<string> = new Set([
  'id',
  'documentId',
  'publishedAt',
  'locale',
  '__component',
  'isUrlSigned',
])

function ofValue(
  former: unknown,
  value: unknown,
  compared: Compared,
  at: string,
  depth: number,
): readonly string[] {
  // Below relations, the two systems populate to different depths. Strapi 3 also shows ids and stored forms there.
  const isRaw = depth > 1 && (isId(former) || isStoredComponents(former))
  const isOfReference = former === null || Array.isArray(former) || isObject(former)
  if (isRaw || (depth > 0 && value === undefined && isOfReference)) return []
  if (Array.isArray(former)) return ofList(former, value, compared, at, depth)
  if (isObject(former) && ('_id' in former || 'mime' in former))
    return ofEntry(former, value, compared, at, depth)
  if (isObject(former) && isObject(value)) {
    const keys = Object.keys(former).filter((key) => key !== 'path')
    return keys.flatMap((key) => ofValue(former[key], value[key], compared, `${at}.${key}`, depth))
  }
  return Object.is(former, value) ? [] : [difference(at, former, value)]
}

function ofList(
  former: readonly unknown[],
  value: unknown,
  compared: Compared,
  at: string,
  depth: number,
): readonly string[] {
  if (!Array.isArray(value)) return former.length === 0 ? [] : [difference(at, former, value)]
  if (depth > 1 && former.some((one) => isId(one) || isStoredComponents(one))) return []
  const idOf = (one: unknown): string | undefined =>
    isObject(one) ? compared.ids.get(String(one['_id'])) : undefined
  const isOfDocuments = former.length > 0 && former.every((one) => idOf(one) !== undefined)
  if (!isOfDocuments) {
    if (former.length !== value.length)
      return [difference(`${at}.length`, former.length, value.length)]
    return former.flatMap((one, index) =>
      ofValue(one, (value as readonly unknown[])[index], compared, `${at}[${index}]`, depth),
    )
  }
  // A list has each document once, in the requested locale. Documents without that locale are left out.
  const shown = former.filter(
    (one) => !isObject(one) || !('locale' in one) || one['locale'] === compared.locale,
  )
  const expected = [...new Set(shown.map(idOf))]
  const all = new Set(former.map(idOf))
  const given = (value as readonly Raw[]).map(({ documentId }) => documentId as string)
  const found = given.filter((id) => expected.includes(id))
  if (given.some((id) => !all.has(id)) || found.join(' ') !== expected.join(' '))
    return [difference(at, expected, given)]
  return shown.flatMap((one) => {
    const entry = (value as readonly Raw[]).find(({ documentId }) => documentId === idOf(one))
    return ofEntry(one, entry, compared, `${at}[${String(idOf(one))}]`, Math.max(depth, 1))
  })
}

/** Compares the other locales of a document. */
function ofLocalizations(
  former: unknown,
  entry: Raw,
  { ids }: Compared,
  at: string,
): readonly string[] {
  const others = (former as readonly Raw[]).map(
    ({ _id, locale }) => `${ids.get(String(_id))} ${String(locale)}`,
  )
  const given = ((entry['localizations'] ?? []) as readonly Raw[]).map(
    ({ locale, documentId }) => `${String(documentId)} ${String(locale)}`,
  )
  const own = entry['documentId'] as string
  return others.every((one) => given.includes(one) && one.startsWith(own))
    ? []
    : [difference(at, others, given)]
}

const isId = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{24}$/.test(value)

const isStoredComponents = (value: unknown): boolean => {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [value]
  return items.some((item) => isObject(item) && 'ref' in item && 'kind' in item)
}

const isNothing = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.length === 0)

const difference = (at: string, former: unknown, value: unknown): string =>
  `${at}: ${brief(former)} -> ${brief(value)}`

const brief = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 200)
