import type {
  Attribute,
  AttributeBase,
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
} from './attribute.js'
import { defineMorph, isMorphKind } from './define-morph.js'
import type { Condition } from './condition.js'
import { conditionFault } from './condition.js'
import { defineRelation } from './define-relation.js'
import { defineScalar } from './define-scalar.js'
import { checkAttributeName, checkStoredName, storedNameOf } from './names.js'
import type { RawObject } from './read-options.js'
import {
  member,
  present,
  readCount,
  readFlag,
  readObject,
  readText,
  readTexts,
  requireText,
} from './read-options.js'
import { isObject } from '../values/is-object.js'
import type { Report } from './schema-error.js'
import { within } from './schema-error.js'
import { didYouMean } from '../errors/nearest-name.js'
import { scalarTypes } from '../values/scalar-type.js'

export type AttributeContext = Readonly<{
  /** Of the content-type or component. */
  uid: string
  inComponent: boolean
  /** Whether the content-type is localized; components follow the attribute they are the value of. */
  localizedType: boolean
  /** `options.privateAttributes` of the definition. */
  privateNames: ReadonlySet<string>
}>

const structuralTypes = ['component', 'dynamiczone', 'media', 'relation'] as const
const mediaTypes: readonly string[] = ['images', 'videos', 'audios', 'files']

/**
 * An attribute from its definition; undefined where it cannot be made (and a problem), or the service has one of
 * that name itself (and a warning).
 */
export function defineAttribute(
  name: string,
  raw: unknown,
  context: AttributeContext,
  report: Report,
): Attribute | undefined {
  if (!checkAttributeName(name, context.inComponent, report)) return undefined
  if (!isObject(raw)) {
    report('', 'must be an object with a type')
    return undefined
  }
  const type = readType(raw, report)
  if (type === undefined) return undefined
  const base = defineBase(name, type, raw, context, report)
  if (type === 'relation')
    return isMorphKind(member(raw, 'relation'))
      ? defineMorph(base, raw, context, report)
      : defineRelation(base, raw, context.inComponent, report)
  if (type === 'media') return defineMedia(base, raw, report)
  if (type === 'component') return defineComponentAttribute(base, raw, report)
  if (type !== 'dynamiczone') return defineScalar(type, base, raw, report)
  const zone = defineDynamicZone(base, raw, report)
  if (!context.inComponent) return zone
  report.warn('type', 'it is left out: a component cannot hold a dynamic zone here')
  return undefined
}

/** The types that definitions name. */
type GivenType = Exclude<Attribute['type'], 'morph'>

function readType(raw: RawObject, report: Report): GivenType | undefined {
  const given = requireText(raw, 'type', report, 'an attribute needs a type')
  const known = [...scalarTypes, ...structuralTypes]
  const type = known.find((candidate) => candidate === given)
  if (type === undefined && given !== undefined)
    report(
      'type',
      `there is no attribute type "${given}"${didYouMean(given, known) || `; there are ${known.join(', ')}`}`,
    )
  return type
}

function defineBase(
  name: string,
  type: GivenType,
  raw: RawObject,
  context: AttributeContext,
  report: Report,
): AttributeBase {
  const ownName = storedNameOf(name)
  const storedAs = readText(raw, 'storedAs', report) ?? ownName
  if (storedAs !== ownName) checkStoredName(storedAs, context.inComponent, report)
  const pluginOptions = readObject(raw, 'pluginOptions', report)
  const i18n = readObject(pluginOptions, 'i18n', within(report, 'pluginOptions'))
  const isWritable = member(raw, 'writable') !== false
  // Relations belong to their locale always (docs/decisions.md, "What locales share"), and uids too: Strapi's
  // builder offers no choice for them.
  const always = type === 'relation' || type === 'uid'
  return {
    name,
    storedAs,
    required: readFlag(raw, 'required', report) && isWritable,
    ...(isWritable ? {} : { writable: false }),
    ...present({ visibleIf: readCondition(raw, report) }),
    private: readFlag(raw, 'private', report) || context.privateNames.has(name),
    localized:
      context.inComponent ||
      (context.localizedType && (always || member(i18n, 'localized') === true)),
  }
}

/** One that is not understood is always met, so that what is required stays so. */
function readCondition(raw: RawObject, report: Report): Condition | undefined {
  const visible = member(readObject(raw, 'conditions', report), 'visible')
  if (visible === undefined || visible === null) return undefined
  const fault = conditionFault(visible)
  if (fault === undefined) return visible as Condition
  report.warn('conditions.visible', `${fault}: it is passed over`)
  return undefined
}

function defineMedia(base: AttributeBase, raw: RawObject, report: Report): MediaAttribute {
  const allowedTypes = readTexts(raw, 'allowedTypes', report) ?? []
  for (const type of allowedTypes.filter((type) => !mediaTypes.includes(type)))
    report.warn(
      'allowedTypes',
      `it is left out: there is no media type "${type}"${didYouMean(type, mediaTypes)}`,
    )
  return {
    ...base,
    type: 'media',
    multiple: readFlag(raw, 'multiple', report),
    allowedTypes: allowedTypes.filter((type) => mediaTypes.includes(type)),
  }
}

function defineComponentAttribute(
  base: AttributeBase,
  raw: RawObject,
  report: Report,
): ComponentAttribute | undefined {
  const component = requireText(
    raw,
    'component',
    report,
    'needs the uid of a component, <category>.<name>',
  )
  const repeatable = readFlag(raw, 'repeatable', report)
  const range = readCounts(raw, report)
  return component === undefined
    ? undefined
    : { ...base, type: 'component', component, repeatable, ...range }
}

function defineDynamicZone(
  base: AttributeBase,
  raw: RawObject,
  report: Report,
): DynamicZoneAttribute {
  const components = readTexts(raw, 'components', report)
  if ((member(raw, 'components') ?? null) === null)
    report('components', 'needs the uids of the components it may hold')
  return { ...base, type: 'dynamiczone', components: components ?? [], ...readCounts(raw, report) }
}

/** How many components a list may hold. */
function readCounts(raw: RawObject, report: Report): { min?: number; max?: number } {
  const min = readCount(raw, 'min', report)
  const max = readCount(raw, 'max', report)
  if (min !== undefined && max !== undefined && min > max)
    report.warn('min', `is above max (${max}), so that no list will do`)
  return present({ min, max })
}
