import type { Edge } from '../resolve/query.js'
import type { MorphAttribute, RelationAttribute } from '../../schema/attribute.js'
import type { ContentType, Status } from '../../schema/content-type.js'
import { collectionOf } from '../../schema/content-type.js'
import type { Link, LocaleRule } from './read-plan.js'

/** Name of a computed field: all references to files in an entry that uses files. */
const usesField = '_uses'

/** Read context of the entries that have a relation. It decides which versions of the targets are visible. */
export type VersionContext = Readonly<{
  status: Status
  /** Whether the entry that has the relation is localized. */
  localized: boolean
  /** The locale of the entries if they are localized and all have the same locale; otherwise null. */
  locale: string | null
  /**
   * Locales for the targets of entries without locales. Each target is shown in the first of these locales in which it
   * has a version (docs/internals/decisions.md, "Relations from entries without locales").
   */
  contextLocales: readonly string[]
  /**
   * Fallback locales for the targets of localized entries, used like `contextLocales`; null if locales do not fall
   * back.
   */
  chain: readonly string[] | null
}>

/** Key that distinguishes read contexts whose `status` and `localized` are the same. */
export const localesKey = ({ locale, contextLocales, chain }: VersionContext): string =>
  `${locale ?? ''} ${contextLocales.join()} ${chain?.join() ?? 'same'}`

/**
 * Plans how an edge finds its targets.
 * @param prefix stored path of the component that has the attribute, with a final dot, or empty
 */
export function planLink(edge: Edge, context: VersionContext, prefix = ''): Link {
  const { target } = edge
  const collection = collectionOf(target, context.status)
  const locale = planLocaleRule(target, context)
  switch (edge.via) {
    case 'relation': {
      const { attribute, inverseSide } = edge
      if (attribute.owner) {
        const path = prefix + attribute.storedAs
        const listed = prefix === '' ? listedOf(attribute) : {}
        return { collection, stored: 'here', path, many: attribute.many, locale, ...listed }
      }
      if (inverseSide === null) throw new Error(`${attribute.name} has no owning side`)
      const { referredAs, many } = attribute
      const type = referredAs === undefined ? {} : { type: referredAs }
      const how = { ...type, many, locale, ...listedOf(inverseSide) }
      return { collection, stored: 'there', path: inverseSide.storedAs, ...how }
    }
    case 'media': {
      const path = prefix + edge.attribute.storedAs
      return { collection, stored: 'here', path, many: edge.attribute.multiple, locale }
    }
    case 'morph': {
      const { storedAs, many } = edge.attribute
      return { collection, stored: 'here', path: prefix + storedAs, type: target.uid, many, locale }
    }
    case 'use': {
      const places = edge.places.map(({ text, segments, field }) => ({
        text,
        segments: segments.map(({ field, component }) => ({ field, component })),
        field,
      }))
      return { collection, stored: 'anywhere', path: usesField, many: true, locale, places }
    }
    case 'localizations':
      return {
        collection,
        stored: 'sibling',
        path: 'documentId',
        many: true,
        locale: { kind: 'other', among: edge.locales },
      }
    case 'creator':
      return { collection, stored: 'here', path: edge.name, many: false, locale }
  }
}

/** Only a relation can lack an index of its own (`Link.listed`). Polymorphic relations always have one. */
const listedOf = (attribute: RelationAttribute | MorphAttribute): Pick<Link, 'listed'> =>
  attribute.type === 'relation' && attribute.listed === true ? { listed: true } : {}

/** Decides which locale of a target is visible in a read context. */
function planLocaleRule(target: ContentType, context: VersionContext): LocaleRule {
  if (!target.localized) return { kind: 'none' }
  const among = context.localized ? context.chain : context.contextLocales
  if (among === null) return ownLocale(context)
  return among.length > 1 ? { kind: 'first', among } : { kind: 'fixed', code: among[0] ?? '' }
}

/** Returns the rule that shows targets in the locale of the entries in a read context. */
const ownLocale = ({ locale }: VersionContext): LocaleRule =>
  locale === null ? { kind: 'same' } : { kind: 'fixed', code: locale }

/** Returns the rule for the locale in which an entry's draft or published version is found. */
export const planVersionLocale = (type: ContentType, context: VersionContext): LocaleRule =>
  type.localized ? ownLocale(context) : { kind: 'none' }

/** Returns the read context of the targets of an edge. */
export function contextOf(edge: Edge, parent: VersionContext): VersionContext {
  const { localized } = edge.target
  if (edge.via === 'localizations') return { ...parent, locale: null, chain: null }
  if (parent.localized) return { ...parent, localized }
  const locales = parent.contextLocales
  return { ...parent, localized, locale: onlyOf(locales), chain: parent.chain && locales }
}

/** Returns the only locale of a list; null if there are several. */
export const onlyOf = (locales: readonly string[]): string | null =>
  locales.length === 1 ? (locales[0] ?? null) : null
