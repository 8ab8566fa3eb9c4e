import type { Attribute, RelationAttribute, RelationKind } from '../attribute.js'
import type { ContentType, Structure } from '../content-type.js'
import { traitsOf } from './define-relation.js'
import type { Report } from '../schema-error.js'
import { isOfStrapi } from './strapi-types.js'
import { didYouMean } from '../../errors/nearest-name.js'
import { isFile, related } from '../file-uses.js'

/**
 * The kind that the other side of a relation must have. Not for polymorphic relations, whose sides `morphByProblem`
 * checks.
 */
const opposite: Readonly<Partial<Record<RelationAttribute['relation'], RelationKind>>> = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
}

/**
 * Checks that targets exist, and that both sides of a relation fit together.
 * @returns the attributes to serve. A side that does not fit loses its inverse side. As in Strapi, relations with
 *   missing types of plugins or of Strapi itself are omitted
 */
export function linkRelations(
  structure: Structure,
  contentTypes: ReadonlyMap<string, ContentType>,
  report: Report,
): ReadonlyMap<string, Attribute> {
  const linked = new Map(structure.attributes)
  for (const attribute of structure.attributes.values()) {
    if (attribute.type !== 'relation') continue
    const path = `attributes.${attribute.name}`
    const target = contentTypes.get(attribute.target)
    if (target === undefined) {
      const near = meantType(attribute.target, contentTypes)
      const missing = `there is no content-type "${attribute.target}"${near}`
      const isKnown = isOfStrapi(attribute.target)
      if (isKnown || (/^(plugin|admin)::/.test(attribute.target) && near === '')) {
        const reason = isKnown ? `Quire does not have "${attribute.target}"` : missing
        report.warn(`${path}.target`, `the relation is left out: ${reason}`)
        linked.delete(attribute.name)
      } else report(`${path}.target`, missing)
    } else if (attribute.referredAs !== undefined) {
      const problem = morphByProblem(attribute, target)
      if (problem?.isTolerated === true) {
        report.warn(`${path}.morphBy`, `the relation is left out: ${problem.message}`)
        linked.delete(attribute.name)
      } else if (problem !== undefined) report(`${path}.morphBy`, problem.message)
    } else if (attribute.inverseSide !== undefined) {
      const problem = inverseProblem(structure, attribute, attribute.inverseSide, target)
      const far = target.attributes.get(attribute.inverseSide)
      if (problem === undefined && far?.type === 'relation') {
        const owner = attribute.owner && (!far.owner || isLater(structure, attribute, far))
        if (owner) continue
        if (attribute.owner)
          report.warn(
            `${path}.inversedBy`,
            `"${far.name}" of ${target.uid} also has inversedBy "${attribute.name}". It owns the relation, and Quire uses mappedBy "${far.name}" for this side`,
          )
        const kind = opposite[far.relation]
        if (kind !== undefined && attribute.relation !== kind)
          report.warn(
            `${path}.relation`,
            `"${far.name}" of ${target.uid} is ${far.relation} and owns the relation, so this side is ${kind}`,
          )
        const relation = kind === undefined ? {} : { relation: kind, ...traitsOf(kind) }
        linked.set(attribute.name, { ...attribute, ...relation, owner })
        continue
      }
      report.warn(
        `${path}.${attribute.owner ? 'inversedBy' : 'mappedBy'}`,
        `the relation is stored here and has no inverse side: ${problem ?? ''}`,
      )
      linked.set(attribute.name, oneSided(attribute))
    }
  }
  return linked
}

/**
 * Whether this side stores the references if both sides have `inversedBy`. As in Strapi, the uids are compared and, in
 * the same type, the attribute names. So changing the order of the definitions does not move stored references.
 */
const isLater = ({ uid }: Structure, near: RelationAttribute, far: RelationAttribute): boolean =>
  uid === near.target ? near.name > far.name : uid > near.target

/** Turns one side of a relation into a relation without an inverse side. */
function oneSided({ inverseSide: _, ...attribute }: RelationAttribute): RelationAttribute {
  return { ...attribute, owner: true, exclusive: false }
}

function inverseProblem(
  structure: Structure,
  near: RelationAttribute,
  name: string,
  target: ContentType,
): string | undefined {
  const far = target.attributes.get(name)
  const place = `"${name}" of ${target.uid}`
  if (far === undefined)
    return `there is no attribute ${place}${suggestedInverse(structure, near, name, target)}`
  if (far.type !== 'relation') return `${place} is not a relation`
  if (far.target !== structure.uid)
    return `${place} does not refer back: its target is ${far.target}`
  if (far.inverseSide === undefined)
    return `${place} has no inverse side: it needs ${near.owner ? 'mappedBy' : 'inversedBy'} "${near.name}"`
  if (far.inverseSide !== near.name)
    return `${place} does not refer back: its other side is "${far.inverseSide}"`
  if (!far.owner && !near.owner)
    return `${place} also has mappedBy: one of the two sides needs inversedBy, and stores the relation`
  return far === near ? `${place} cannot be its own other side` : undefined
}

/**
 * Returns the end of a message, which suggests the content-type that was renamed from this uid, or one with a similar
 * uid.
 */
function meantType(uid: string, contentTypes: ReadonlyMap<string, ContentType>): string {
  const renamed = [...contentTypes.values()].find(
    ({ definition }) => definition.renamedFrom === uid,
  )
  if (renamed === undefined) return didYouMean(uid, contentTypes.keys())
  return `; its name is "${renamed.uid}" now`
}

/**
 * Returns the end of a message, which suggests an attribute with a similar name, or the only attribute that refers
 * back.
 */
function suggestedInverse(
  structure: Structure,
  near: RelationAttribute,
  name: string,
  { attributes }: ContentType,
): string {
  const meant = didYouMean(name, attributes.keys())
  if (meant !== '') return meant
  const back = [...attributes.values()]
    .filter((one) => one.type === 'relation')
    .filter((one) => one.target === structure.uid && one !== near)
  const claiming = back.filter(({ inverseSide }) => inverseSide === near.name)
  const free = back.filter(({ inverseSide }) => !structure.attributes.has(inverseSide ?? ''))
  const [only, ...others] = claiming.length > 0 ? claiming : free
  return only === undefined || others.length > 0 ? '' : `; did you mean "${only.name}"?`
}

/**
 * Returns what is wrong with the attribute that `morphBy` names. `isTolerated` = Strapi starts with such a definition
 * and leaves the relation empty.
 */
function morphByProblem({ inverseSide = '' }: RelationAttribute, target: ContentType) {
  const far = target.attributes.get(inverseSide)
  if (far?.type === 'morph') return undefined
  const place = `"${inverseSide}" of ${target.uid}`
  if (isFile(target) && inverseSide === related.name)
    return {
      isTolerated: true,
      message: 'files do not store where they are used. Use an attribute of type media',
    }
  if (far !== undefined)
    return { isTolerated: true, message: `${place} is neither morphToOne nor morphToMany` }
  const owning = [...target.attributes.values()].filter(({ type }) => type === 'morph')
  const known = owning.map(({ name }) => name)
  const message = `there is no attribute ${place}${didYouMean(inverseSide, known)}`
  return { isTolerated: false, message }
}
