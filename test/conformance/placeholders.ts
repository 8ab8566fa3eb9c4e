/** `${tag.red}`: documentId; `${tag.red#id}`: the published version's record id; `${tag.red#draftId}`: the draft's. */
export type Names = {
  documents: Record<string, string>
  ids: Record<string, { id?: unknown; draftId?: unknown }>
  /** Other captured values, and the API tokens as `TOKEN_full`. */
  values: Record<string, unknown>
  jwt: string | null
}

export const newNames = (): Names => ({ documents: {}, ids: {}, values: {}, jwt: null })

/** Replaces placeholders. One that is a whole string keeps its type. Unknown names become `missing-<name>`. */
export function fillIn<T>(value: T, names: Names): T
export function fillIn(value: unknown, names: Names): unknown {
  if (typeof value === 'string') {
    const whole = wholePlaceholder.exec(value)
    if (whole?.[1] !== undefined) return lookUp(whole[1], whole[2], names)
    return value.replace(anyPlaceholder, (_, name: string, kind?: string) =>
      String(lookUp(name, kind, names)),
    )
  }
  if (Array.isArray(value)) return value.map((member: unknown) => fillIn(member, names))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, fillIn(v, names)]))
  return value
}

const wholePlaceholder = /^\$\{([A-Za-z0-9_.-]+)(#[A-Za-z]+)?\}$/
const anyPlaceholder = /\$\{([A-Za-z0-9_.-]+)(#[A-Za-z]+)?\}/g

function lookUp(name: string, kind: string | undefined, names: Names): unknown {
  if (kind === undefined) return names.documents[name] ?? names.values[name] ?? `missing-${name}`
  const ids: Readonly<Record<string, unknown>> = names.ids[name] ?? {}
  return ids[kind.slice(1)] ?? `missing-${name}`
}
