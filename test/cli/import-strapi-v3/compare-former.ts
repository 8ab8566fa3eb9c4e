/** The context for comparing a response of Strapi 3 with a response of Quire. */
export type Compared = Readonly<{
  ids: ReadonlyMap<string, string>
  locale: string
  /** In Quire, drafts have no `publishedAt`. */
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
 * Returns the differences between an entry of Strapi 3 and the same entry of Quire, by path. Ignores members of Quire
 * that are in `added`, or that are empty and missing in Strapi 3.
 */
export function differences(
  previous: unknown,
  entry: unknown,
  compared: Compared,
): readonly string[] {
  return ofEntry(previous, entry, compared, '', 0)
}

function ofEntry(
  previous: unknown,
  entry: unknown,
  compared: Compared,
  at: string,
  depth: number,
): readonly string[] {
  if (!isObject(previous))
    return Object.is(previous, entry) ? [] : [difference(at, previous, entry)]
  if (!isObject(entry)) return [difference(at, previous, entry)]
  const id = compared.ids.get(String(previous['_id']))
  const isFile = typeof previous['mime'] === 'string'
  const found: string[] = []
  if (id !== undefined && entry['documentId'] !== id)
    found.push(difference(`${at}.documentId`, id, entry['documentId']))
  // Skip targets in another locale: in Strapi 3, a relation refers to the row of one locale; in Quire, to a document,
  // which is read in the requested locale.
  const isOtherLocale =
    depth > 0 && typeof previous['locale'] === 'string' && previous['locale'] !== compared.locale
  if (isOtherLocale) return found
  for (const [name, value] of Object.entries(previous)) {
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
      if (!Object.hasOwn(previous, name) && !added.has(name) && !isNothing(value))
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
  previous: unknown,
  value: unknown,
  compared: Compared,
  at: string,
  depth: number,
): readonly string[] {
  // Below relations, skip what Quire does not populate, and what Strapi 3 shows as an id or in its stored form.
  const isRaw = depth > 1 && (isId(previous) || isStoredComponents(previous))
  const isOfReference = previous === null || Array.isArray(previous) || isObject(previous)
  if (isRaw || (depth > 0 && value === undefined && isOfReference)) return []
  if (Array.isArray(previous)) return ofList(previous, value, compared, at, depth)
  if (isObject(previous) && ('_id' in previous || 'mime' in previous))
    return ofEntry(previous, value, compared, at, depth)
  if (isObject(previous) && isObject(value)) {
    const keys = Object.keys(previous).filter((key) => key !== 'path')
    return keys.flatMap((key) =>
      ofValue(previous[key], value[key], compared, `${at}.${key}`, depth),
    )
  }
  return Object.is(previous, value) ? [] : [difference(at, previous, value)]
}

function ofList(
  previous: readonly unknown[],
  value: unknown,
  compared: Compared,
  at: string,
  depth: number,
): readonly string[] {
  if (!Array.isArray(value)) return previous.length === 0 ? [] : [difference(at, previous, value)]
  if (depth > 1 && previous.some((one) => isId(one) || isStoredComponents(one))) return []
  const idOf = (one: unknown): string | undefined =>
    isObject(one) ? compared.ids.get(String(one['_id'])) : undefined
  const isOfDocuments = previous.length > 0 && previous.every((one) => idOf(one) !== undefined)
  if (!isOfDocuments) {
    if (previous.length !== value.length)
      return [difference(`${at}.length`, previous.length, value.length)]
    return previous.flatMap((one, index) =>
      ofValue(one, (value as readonly unknown[])[index], compared, `${at}[${index}]`, depth),
    )
  }
  // In Quire, a list only contains documents in the requested locale, and each of them once.
  const shown = previous.filter(
    (one) => !isObject(one) || !('locale' in one) || one['locale'] === compared.locale,
  )
  const expected = [...new Set(shown.map(idOf))]
  const all = new Set(previous.map(idOf))
  const given = (value as readonly Raw[]).map(({ documentId }) => documentId as string)
  const found = given.filter((id) => expected.includes(id))
  if (given.some((id) => !all.has(id)) || found.join(' ') !== expected.join(' '))
    return [difference(at, expected, given)]
  return shown.flatMap((one) => {
    const entry = (value as readonly Raw[]).find(({ documentId }) => documentId === idOf(one))
    return ofEntry(one, entry, compared, `${at}[${String(idOf(one))}]`, Math.max(depth, 1))
  })
}

function ofLocalizations(
  previous: unknown,
  entry: Raw,
  { ids }: Compared,
  at: string,
): readonly string[] {
  const others = (previous as readonly Raw[]).map(
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

const difference = (at: string, previous: unknown, value: unknown): string =>
  `${at}: ${brief(previous)} -> ${brief(value)}`

const brief = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 200)
