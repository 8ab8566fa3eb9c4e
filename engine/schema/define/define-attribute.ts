import type {
  Attribute,
  AttributeBase,
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
} from '../attribute.js'
import { defineMorph, isMorphKind } from './define-morph.js'
import { defineRelation } from './define-relation.js'
import { conditionProblem, type Condition } from '../condition.js'
import { defineScalar } from './define-scalar.js'
import { mediaTypes, type MediaType } from '../media-type.js'
import { checkAttributeName, checkStoredName, storedNameOf } from '../names.js'
import { present, RawOptions } from './read-options.js'
import { isObject } from '../../values/is-object.js'
import type { Report } from '../schema-error.js'
import { didYouMean } from '../../errors/nearest-name.js'
import { scalarTypes } from '../../values/scalar-type.js'

export type AttributeContext = Readonly<{
  uid: string
  inComponent: boolean
  /**
   * Whether the content-type is localized. Not used for components: the attribute that contains a component decides
   * whether its values are localized.
   */
  localizedType: boolean
  privateNames: ReadonlySet<string>
}>

const structuralTypes = ['component', 'dynamiczone', 'media', 'relation'] as const

/**
 * Creates an attribute from its definition. Returns undefined if the definition is invalid or ignored with a warning,
 * for example because the service has its own attribute of this name.
 */
export function defineAttribute(
  name: string,
  given: unknown,
  context: AttributeContext,
  report: Report,
): Attribute | undefined {
  if (!checkAttributeName(name, context.inComponent, report)) return undefined
  if (!isObject(given)) {
    report('', 'must be an object with a type')
    return undefined
  }
  const raw = new RawOptions(given, report)
  const type = readType(raw)
  if (type === undefined) return undefined
  const base = defineBase(name, type, raw, context)
  if (type === 'relation')
    return isMorphKind(raw.get('relation'))
      ? defineMorph(base, raw, context)
      : defineRelation(base, raw, context.inComponent)
  if (type === 'media') return defineMedia(base, raw)
  if (type === 'component') return defineComponentAttribute(base, raw)
  if (type !== 'dynamiczone') return defineScalar(type, base, raw)
  const zone = defineDynamicZone(base, raw)
  if (!context.inComponent) return zone
  raw.warn('type', 'it is left out: in Quire a component cannot contain a dynamic zone')
  return undefined
}

/** `morph` is not included, because it is defined as a `relation`. */
type GivenType = Exclude<Attribute['type'], 'morph'>

function readType(raw: RawOptions): GivenType | undefined {
  const given = raw.requiredText('type', 'an attribute needs a type')
  const known = [...scalarTypes, ...structuralTypes]
  const type = known.find((candidate) => candidate === given)
  if (type === undefined && given !== undefined)
    raw.report(
      'type',
      `there is no attribute type "${given}"${didYouMean(given, known) || `; there are ${known.join(', ')}`}`,
    )
  return type
}

function defineBase(
  name: string,
  type: GivenType,
  raw: RawOptions,
  { inComponent, localizedType, privateNames }: AttributeContext,
): AttributeBase {
  const renamedFrom = raw.text('renamedFrom')
  const ownName = storedNameOf(renamedFrom ?? name)
  const storedAs = raw.text('storedAs') ?? ownName
  // A renamed attribute may be stored under any of its previous names.
  if (storedAs !== ownName)
    checkStoredName(storedAs, inComponent, raw.report, renamedFrom !== undefined)
  const i18n = raw.object('pluginOptions').object('i18n')
  const isWritable = raw.get('writable') !== false
  // Uids and relations of a localized type are always localized. Strapi's content-type builder has no option to
  // localize uids. For relations, see docs/internals/decisions.md, "What locales share".
  const always = type === 'relation' || type === 'uid'
  return {
    name,
    storedAs,
    required: raw.flag('required') && isWritable,
    ...(!isWritable && { writable: false }),
    ...present({ visibleIf: readCondition(raw) }),
    private: raw.flag('private') || privateNames.has(name),
    localized: inComponent || (localizedType && (always || i18n.get('localized') === true)),
  }
}

/** Reads `conditions.visible`. An invalid condition is ignored, so that `required` always applies. */
function readCondition(raw: RawOptions): Condition | undefined {
  const visible = raw.object('conditions').get('visible')
  if (visible === undefined) return undefined
  const problem = conditionProblem(visible)
  if (problem === undefined) return visible as Condition
  raw.warn('conditions.visible', `${problem}: it is ignored`)
  return undefined
}

function defineMedia(base: AttributeBase, raw: RawOptions): MediaAttribute {
  const isKnown = (type: string): type is MediaType =>
    mediaTypes.some((mediaType) => mediaType === type)
  const allowedTypes = raw.texts('allowedTypes') ?? []
  for (const type of allowedTypes.filter((type) => !isKnown(type)))
    raw.warn(
      'allowedTypes',
      `it is left out: there is no media type "${type}"${didYouMean(type, mediaTypes)}`,
    )
  return {
    ...base,
    type: 'media',
    multiple: raw.flag('multiple'),
    allowedTypes: allowedTypes.filter(isKnown),
  }
}

function defineComponentAttribute(
  base: AttributeBase,
  raw: RawOptions,
): ComponentAttribute | undefined {
  const component = raw.requiredText('component', 'needs the uid of a component, <category>.<name>')
  const repeatable = raw.flag('repeatable')
  const range = readCounts(raw)
  return component === undefined
    ? undefined
    : { ...base, type: 'component', component, repeatable, ...range }
}

function defineDynamicZone(base: AttributeBase, raw: RawOptions): DynamicZoneAttribute {
  const components = raw.texts('components') ?? []
  if (raw.get('components') === undefined)
    raw.report('components', 'needs the uids of the components it may hold')
  return { ...base, type: 'dynamiczone', components, ...readCounts(raw) }
}

function readCounts(raw: RawOptions): { min?: number; max?: number } {
  const min = raw.count('min')
  const max = raw.count('max')
  if (min !== undefined && max !== undefined && min > max)
    raw.warn('min', `is above max (${max}), so no list is valid`)
  return present({ min, max })
}
