import { isObject, type PlainObject } from '../../values/is-object.js'
import type { Attribute } from '../attribute.js'
import { defineAttribute, type AttributeContext } from './define-attribute.js'
import { storedNameOf } from '../names.js'
import type { RawOptions } from './read-options.js'
import { reportBelow, type Report } from '../schema-error.js'
import { hideable } from '../system-attributes.js'
import { didYouMean } from '../../errors/nearest-name.js'

/** Creates and checks the attributes of a content-type or component, in the order of its definition. */
export function defineAttributes(
  definition: RawOptions,
  options: RawOptions,
  context: Omit<AttributeContext, 'privateNames'> & Readonly<{ hidden: readonly string[] }>,
): ReadonlyMap<string, Attribute> {
  const { report } = definition
  const raw = definition.object('attributes').given
  const known = [...Object.keys(raw), ...(context.inComponent ? [] : hideable)]
  const privateNames = new Set([...readPrivateNames(options, known), ...context.hidden])
  const attributes = new Map<string, Attribute>()
  for (const [name, value] of Object.entries(raw)) {
    const inner = reportBelow(report, `attributes.${name}`)
    const attribute = defineAttribute(name, value, { ...context, privateNames }, inner)
    if (attribute !== undefined) attributes.set(name, attribute)
  }
  checkRenames(raw, report)
  checkStoredTwice(attributes, report)
  checkTargetFields(attributes, raw, report)
  return attributes
}

/** Warns of each name that is not in `known`. */
function readPrivateNames(options: RawOptions, known: readonly string[]): readonly string[] {
  const given = options.texts('privateAttributes') ?? []
  for (const name of given.filter((name) => !known.includes(name)))
    options.warn('privateAttributes', `there is no attribute "${name}"${didYouMean(name, known)}`)
  return given
}

/** Checks that a previous name (`renamedFrom`) is not in use, and that only one attribute names it. */
function checkRenames(raw: PlainObject, report: Report): void {
  const takenBy = new Map<string, string>()
  for (const [name, given] of Object.entries(raw)) {
    const previous = isObject(given) ? given.renamedFrom : undefined
    if (typeof previous !== 'string' || previous === '') continue
    const path = `attributes.${name}.renamedFrom`
    const other = takenBy.get(previous)
    if (Object.hasOwn(raw, previous))
      report(
        path,
        `there is still an attribute "${previous}". Remove one of the two, or set "storedAs" in both, without "renamedFrom"`,
      )
    else if (other !== undefined) report(path, `"${other}" was renamed from "${previous}", too`)
    else takenBy.set(previous, name)
  }
}

function checkStoredTwice(attributes: ReadonlyMap<string, Attribute>, report: Report): void {
  const takenBy = new Map<string, Attribute>()
  for (const attribute of attributes.values()) {
    const { storedAs } = attribute
    const other = takenBy.get(storedAs)
    takenBy.set(storedAs, attribute)
    if (other === undefined) continue
    // Both attributes are stored in the same field, which contains the values of the renamed one. The newer attribute,
    // whose own name matches the field, has to change.
    const isNewer = storedNameOf(other.name) === storedAs
    const [newer, kept] = isNewer ? [other.name, attribute.name] : [attribute.name, other.name]
    report(
      `attributes.${newer}.storedAs`,
      `"${kept}" is stored as "${storedAs}". Store "${newer}" in another field: "storedAs": "${storedAs}_2"`,
    )
  }
}

function checkTargetFields(
  attributes: ReadonlyMap<string, Attribute>,
  raw: PlainObject,
  report: Report,
): void {
  for (const attribute of attributes.values()) {
    if (attribute.type !== 'uid' || attribute.targetField === undefined) continue
    const { name, targetField } = attribute
    if (!Object.hasOwn(raw, targetField))
      report.warn(
        `attributes.${name}.targetField`,
        `there is no attribute "${targetField}"${didYouMean(targetField, attributes.keys())}`,
      )
  }
}
