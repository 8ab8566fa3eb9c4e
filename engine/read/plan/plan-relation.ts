import type { Edge } from '../resolve/query.js'
import type { MorphAttribute, RelationAttribute } from '../../schema/attribute.js'
import type { ContentType, Status } from '../../schema/content-type.js'
import { collectionOf } from '../../schema/content-type.js'
import type { Link, LocaleRule } from './read-plan.js'

/** A computed field with all references to files in an entry. */
const usesField = '_uses'

/** Read context of the entries that have a relation. It decides which versions of the targets are visible. */
export type VersionContext = Readonly<{
  status: Status
  /** Whether the entry that has the relation is localized. */
  localized: boolean
  /** Null if the entries are not localized or have several locales. */
  locale: string | null
  /**
   * For the targets of entries without locales: each is shown in the first of these locales in which it has a version
   * (docs/internals/decisions.md, "Relations from entries without locales").
   */
  contextLocales: readonly string[]
  /** For the targets of localized entries, like `contextLocales`; null if locales do not fall back. */
  chain: readonly string[] | null
}>

/** Returns a key that distinguishes read contexts with the same `status` and `localized`. */
export const localesKey = ({ locale, contextLocales, chain }: VersionContext): string =>
  `${locale ?? ''} ${contextLocales.join()} ${chain?.join() ?? 'same'}`

/** Plans how an edge finds its targets. `prefix`: stored path of the component, with a final dot, or empty. */
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

/** Polymorphic relations always have an index of their own. */
const listedOf = (attribute: RelationAttribute | MorphAttribute): Pick<Link, 'listed'> =>
  attribute.type === 'relation' && attribute.listed === true ? { listed: true } : {}

function planLocaleRule(target: ContentType, context: VersionContext): LocaleRule {
  if (!target.localized) return { kind: 'none' }
  const among = context.localized ? context.chain : context.contextLocales
  if (among === null) return ownLocale(context)
  return among.length > 1 ? { kind: 'first', among } : { kind: 'fixed', code: among[0] ?? '' }
}

const ownLocale = ({ locale }: VersionContext): LocaleRule =>
  locale === null ? { kind: 'same' } : { kind: 'fixed', code: locale }

/** Returns the rule for the locale of an entry's draft or published version. */
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

/** Returns the only locale of a list, if there is one. */
export const onlyOf = (locales: readonly string[]): string | null =>
  locales.length === 1 ? (locales[0] ?? null) : null
