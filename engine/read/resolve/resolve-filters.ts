import type { Place, RawFilter, RawValue } from '../parse/raw-query.js'
import { invalidQuantifier, isQuantifier } from '../parse/quantifier.js'
import { comparisonOperators, logicalOperators, quantifiers } from '../parse/raw-query.js'
import type { Attribute } from '../../schema/attribute.js'
import { isOfSeveral, isReadable, isScalar } from '../../schema/attribute.js'
import { componentOf } from '../../schema/registry.js'
import {
  componentIdAttribute,
  documentIdAttribute,
  idAttribute,
} from '../../schema/system-attributes.js'
import type { Model } from './resolve-attributes.js'
import {
  edgeOf,
  findAttribute,
  readableNames,
  refusedName,
  unknownName,
} from './resolve-attributes.js'
import { isEdgeAttribute, isMany } from '../../schema/edge-attribute.js'
import { jsonTypes, numberTypes } from '../../values/scalar-type.js'
import { localizationsOf } from './resolve-versions.js'
import type { Edge, Filter } from './query.js'
import type { Scope } from './scope.js'
import { mayFind } from './scope.js'
import { refusedValue } from '../parse/refused-value.js'
import { resolveJson } from './resolve-json.js'
import { quantifierOfOne, resolveTargets } from './resolve-quantifiers.js'
import type { Comparison } from './resolve-under.js'
import { resolveUnder } from './resolve-under.js'
import { isTextOperator, notOfText, resolveTest } from './resolve-operators.js'

/** Resolves `filters[author][name][$eqi]=ana`. Throws a 400 for names that are unknown, forbidden or not comparable. */
export function resolveFilter(
  scope: Scope,
  model: Model,
  raw: RawFilter,
  param = 'filters',
): Filter {
  return resolve(scope, model, raw, false, { path: [], param })
}

function resolve(
  scope: Scope,
  model: Model,
  raw: RawFilter,
  negated: boolean,
  place: Place,
): Filter {
  switch (raw.kind) {
    case 'all':
    case 'any': {
      const kind = (raw.kind === 'all') === negated ? 'any' : 'all'
      return { kind, of: raw.of.map((member) => resolve(scope, model, member, negated, place)) }
    }
    case 'not':
      return resolve(scope, model, raw.of, !negated, place)
    case 'at':
      return resolveAt(scope, model, raw, negated, place)
    case 'is':
      throw unknownName(raw.operator, place.path, place.param)
  }
}

function resolveAt(
  scope: Scope,
  model: Model,
  { name, of }: Extract<RawFilter, { kind: 'at' }>,
  negated: boolean,
  place: Place,
): Filter {
  const inner = { ...place, path: [...place.path, name] }
  const isShown = model.kind === 'type' && model.type.hidden?.has(name) !== true
  if (isShown && name === 'localizations' && model.type.localized) {
    return resolveEdge(scope, localizationsOf(scope, model.type), of, negated, inner)
  }
  const attribute = findAttribute(model, name)
  if (attribute === undefined) {
    if (isQuantifier(name)) throw invalidQuantifier(name, place, 'an attribute of the target')
    if (name === 'createdBy' || name === 'updatedBy')
      throw refusedName(name, place.path, place.param)
    const known = name.startsWith('$') ? allOperators : readableNames(model)
    throw unknownName(name, place.path, place.param, known)
  }
  // As in Strapi, polymorphic attributes and dynamic zones cannot be filtered by.
  if (!isReadable(attribute) || isOfSeveral(attribute)) {
    throw refusedName(name, place.path, place.param)
  }
  return resolveAttribute(scope, attribute, of, negated, inner, place)
}

function resolveAttribute(
  scope: Scope,
  attribute: Attribute,
  of: RawFilter,
  negated: boolean,
  inner: Place,
  outer: Place,
): Filter {
  if (isEdgeAttribute(attribute)) {
    const edge = edgeOf(scope.registry, attribute)
    if (!mayFind(scope, edge.target)) throw refusedName(attribute.name, outer.path, outer.param)
    return resolveEdge(scope, edge, of, negated, inner)
  }
  if (attribute.type === 'component') {
    const component = componentOf(scope.registry, attribute.component)
    const model: Model = { kind: 'component', component }
    return resolveTargets(of, negated, {
      many: attribute.repeatable,
      place: inner,
      ofOne: (one, isOpposed) =>
        resolveUnder(one, isOpposed, {
          is: (comparison, no) => {
            if (isTextOperator(comparison.operator)) throw notOfText(comparison.operator, inner)
            return resolveTest(componentIdAttribute, comparison, no, inner)
          },
          at: (raw, no) => resolve(scope, model, raw, no, inner),
        }),
      some: (filter, strict) => ({ kind: 'component', attribute, of: filter, strict }),
    })
  }
  if (!isScalar(attribute)) throw refusedName(attribute.name, outer.path, outer.param)
  return resolveUnder(of, negated, {
    is: (comparison, no) => {
      const isComputed = numberTypes.has(attribute.type) && isTextOperator(comparison.operator)
      if (isComputed) scope.budget.computed()
      return resolveTest(attribute, comparison, no, inner)
    },
    at: (raw, no) => {
      if (jsonTypes.has(attribute.type)) return resolveJson(scope, attribute, raw, no, inner)
      if (isQuantifier(raw.name)) throw quantifierOfOne(raw.name, inner)
      throw unknownName(raw.name, inner.path, inner.param, allOperators)
    },
  })
}

/**
 * A value without an attribute, as in `filters[author]=7`, is a record id or a documentId (docs/internals/decisions.md,
 * "Relations by a bare value").
 */
function resolveEdge(
  scope: Scope,
  edge: Edge,
  of: RawFilter,
  negated: boolean,
  place: Place,
): Filter {
  const model: Model = { kind: 'type', type: edge.target }
  return resolveTargets(of, negated, {
    many: !('attribute' in edge) || isMany(edge.attribute),
    place,
    ofOne: (one, isOpposed) => {
      scope.budget.filteredRelations()
      return resolveUnder(one, isOpposed, {
        is: (comparison, no) => resolveReference(comparison, no, place),
        at: (raw, no) => resolve(scope, model, raw, no, place),
      })
    },
    some: (filter, strict) => ({ kind: 'edge', edge, of: filter, strict }),
  })
}

const allOperators = [...comparisonOperators, ...logicalOperators, ...quantifiers]

const referenceOperators = new Set(['$eq', '$ne', '$in', '$notIn', '$null', '$notNull'])

function resolveReference(comparison: Comparison, negated: boolean, place: Place): Filter {
  const { operator, values } = comparison
  if (!referenceOperators.has(operator)) {
    const expected = 'an attribute of the relation'
    const message = `Invalid operator ${operator} at ${place.path.join('.')}. Expected ${expected}`
    throw refusedValue(message, place, expected, operator)
  }
  const byId = (ids = values): Filter =>
    resolveTest(idAttribute, { ...comparison, values: ids }, negated, place)
  if (operator === '$null' || operator === '$notNull') return byId()
  const documentIds = values.filter(isDocumentId)
  if (documentIds.length === 0) return byId()
  const only = { ...comparison, values: documentIds }
  const byDocument = resolveTest(documentIdAttribute, only, negated, place)
  if (documentIds.length === values.length) return byDocument
  const opposed = (operator === '$ne' || operator === '$notIn') !== negated
  const ids = values.filter((value) => !isDocumentId(value))
  return { kind: opposed ? 'all' : 'any', of: [byId(ids), byDocument] }
}

/** Strings of up to 15 digits are record ids. */
const isDocumentId = (value: RawValue): boolean => value !== null && !/^\d{1,15}$/.test(value)
