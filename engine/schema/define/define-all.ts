import { builtInDefinitions } from './built-in.js'
import type { Component, ContentType, Definition } from '../content-type.js'
import { defineContentType } from './define-content-type.js'
import { extendBuiltIn } from './extend-built-in.js'
import { isComponentUid, isContentTypeUid } from '../names.js'
import type { Report } from '../schema-error.js'
import { defineAttributes } from './define-structure.js'
import { RawOptions } from './read-options.js'

/** A definition with its uid and its source. */
export type SourcedDefinition = Readonly<{
  kind: 'content-type' | 'component'
  /** `api::<api>.<name>`, `plugin::<plugin>.<name>`, `<category>.<name>`, or the uid of a built-in type to extend. */
  uid: string
  source: string
  definition: Definition
}>

/** A content-type or component, with the source of its definition. */
export type Defined<T> = Readonly<{ value: T; report: Report; source: string }>

export type DefinedTypes = ReturnType<typeof defineAll>

/**
 * Creates a content-type or component from each definition, the built-in types first. The second definition of the same
 * uid is reported and ignored.
 * @param hidden names of attributes that are private in all types
 */
export function defineAll(
  definitions: readonly SourcedDefinition[],
  reportTo: (source: string) => Report,
  hidden: readonly string[],
) {
  const contentTypes = new Map<string, Defined<ContentType>>()
  const components = new Map<string, Defined<Component>>()
  const valid = new Map<string, SourcedDefinition>()
  for (const given of definitions) {
    const problem = problemOf(given, valid.get(given.uid))
    if (problem === undefined) valid.set(given.uid, given)
    else reportTo(given.source)('', problem)
  }

  checkRenames([...valid.values()], reportTo)

  for (const [uid, original] of builtInDefinitions) {
    const extension = valid.get(uid)
    const source = extension?.source ?? uid
    const report = reportTo(source)
    const definition =
      extension === undefined ? original : extendBuiltIn(original, extension.definition, report)
    const frozen = freezeDeep(structuredClone(definition))
    const value = defineContentType(uid, frozen, 'built-in', report, hidden)
    contentTypes.set(uid, { value, report, source })
  }

  for (const { kind, uid, source, definition } of valid.values()) {
    if (builtInDefinitions.has(uid)) continue
    const report = reportTo(source)
    const frozen = freezeDeep(structuredClone(definition))
    if (kind === 'component') {
      const value = defineComponent(uid, frozen, report, hidden)
      components.set(uid, { value, report, source })
    } else {
      const origin = uid.startsWith('plugin::') ? 'plugin' : 'api'
      const value = defineContentType(uid, frozen, origin, report, hidden)
      contentTypes.set(uid, { value, report, source })
    }
  }
  return { contentTypes, components }
}

/** @param other an earlier definition with the same uid */
function problemOf(
  { kind, uid }: SourcedDefinition,
  other: SourcedDefinition | undefined,
): string | undefined {
  if (other !== undefined) return `"${uid}" is also defined in ${other.source}`
  if (kind === 'component' ? isComponentUid(uid) : isContentTypeUid(uid)) return undefined
  return kind === 'component'
    ? `"${uid}" is not the uid of a component: <category>.<name>, of letters, digits, - and _`
    : `"${uid}" is not the uid of a content-type: api::<api>.<name> or plugin::<plugin>.<name>, of letters, digits, - and _`
}

/** Checks that a previous uid (`renamedFrom`) is not in use, and that only one content-type names it. */
function checkRenames(
  definitions: readonly SourcedDefinition[],
  reportTo: (source: string) => Report,
): void {
  const uids = new Set(definitions.map(({ uid }) => uid))
  const takenBy = new Map<unknown, string>()
  for (const { kind, uid, source, definition } of definitions) {
    const from = definition.renamedFrom
    if (kind !== 'content-type' || from === undefined) continue
    const report = (message: string): void => reportTo(source)('renamedFrom', message)
    const other = takenBy.get(from)
    if (typeof from !== 'string' || !isContentTypeUid(from))
      report('must be the uid that the content-type had, such as api::article.article')
    else if (uids.has(from) || builtInDefinitions.has(from))
      report(`there is still a content-type "${from}". Remove one of the two`)
    else if (other !== undefined) report(`"${other}" was renamed from "${from}", too`)
    else takenBy.set(from, uid)
  }
}

function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  Object.values(value).forEach(freezeDeep)
  return Object.freeze(value)
}

/**
 * Creates a component. Its `collectionName` is ignored, because components are stored in entries.
 * @param hidden names of attributes that are private in all types
 */
function defineComponent(
  uid: string,
  definition: Definition,
  report: Report,
  hidden: readonly string[],
): Component {
  const dot = uid.indexOf('.')
  const raw = new RawOptions(definition, report)
  const context = { uid, inComponent: true, localizedType: false, hidden }
  return Object.freeze({
    uid,
    category: uid.slice(0, dot),
    displayName: raw.object('info').text('displayName') ?? uid.slice(dot + 1),
    attributes: defineAttributes(raw, raw.object('options'), context),
    definition,
  })
}
