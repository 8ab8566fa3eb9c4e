import type { Attribute, ScalarAttribute } from '../../schema/attribute.js'
import { isOwning, isReadable, isScalar } from '../../schema/attribute.js'
import type { ContentType, Structure } from '../../schema/content-type.js'
import type { EdgeAttribute } from '../../schema/edge-attribute.js'
import type { Registry } from '../../schema/registry.js'
import { builtIn, typeOf } from '../../schema/registry.js'
import {
  componentIdAttribute,
  systemAttribute,
  leadingAttributes,
  trailingAttributes,
} from '../../schema/system-attributes.js'
import type { Edge, Selection } from './query.js'
import { ApiError, fail } from '../../errors.js'
import { suggestionFor } from '../../errors/nearest-name.js'
import type { RawFields } from '../parse/raw-query.js'

/** The content-type or component to which names in a query refer. Strapi calls both models. */
export type Model =
  | Readonly<{
      kind: 'type'
      type: ContentType
      /** Absent: all names may be used. */
      only?: ReadonlySet<string>
    }>
  | Readonly<{ kind: 'component'; component: Structure }>

/**
 * The only attributes of an entry's author that may be shown or used (docs/internals/decisions.md, "Who wrote an
 * entry").
 */
export const creatorNames: ReadonlySet<string> = new Set([
  'id',
  'documentId',
  'firstname',
  'lastname',
  'username',
])

export const structureOf = (model: Model): Structure =>
  model.kind === 'type' ? model.type : model.component

/** Finds an attribute by name, including system attributes. */
export function findAttribute(model: Model, name: string): Attribute | undefined {
  if (model.kind === 'component') {
    return name === 'id' ? componentIdAttribute : model.component.attributes.get(name)
  }
  if (model.only?.has(name) === false) return undefined
  return systemAttribute(model.type, name) ?? model.type.attributes.get(name)
}

/** Returns the names that an error may suggest. */
export function readableNames(model: Model): readonly string[] {
  const { only } = model.kind === 'type' ? model : {}
  return [...structureOf(model).attributes.values()]
    .filter((attribute) => isReadable(attribute) && only?.has(attribute.name) !== false)
    .map(({ name }) => name)
}

export function readableScalars(structure: Structure): ScalarAttribute[] {
  return [...structure.attributes.values()].filter(
    (attribute): attribute is ScalarAttribute => isScalar(attribute) && isReadable(attribute),
  )
}

/** Returns the edge of a relation or media attribute. */
export function edgeOf(registry: Registry, attribute: EdgeAttribute): Edge {
  if (attribute.type === 'media') {
    return { via: 'media', attribute, target: typeOf(registry, builtIn.file) }
  }
  const target = typeOf(registry, attribute.target)
  const inverseSide =
    attribute.inverseSide === undefined ? undefined : target.attributes.get(attribute.inverseSide)
  return {
    via: 'relation',
    attribute,
    inverseSide: inverseSide !== undefined && isOwning(inverseSide) ? inverseSide : null,
    target,
  }
}

/** Returns the 400 for an unknown name. `parent` is the path of names that leads to it. */
export function unknownName(
  name: string,
  parent: readonly string[],
  param: string,
  known: Iterable<string> = [],
): Error {
  const path = parent.length === 0 ? null : parent.join('.')
  return fail(
    'invalid-key',
    { key: name, path },
    { key: name, path, source: 'query', param, ...suggestionFor(name, known) },
  )
}

/** Returns the 400 for a name that exists, but that this caller may not use here. `parent`: the names before it. */
export function refusedName(
  name: string,
  parent: readonly string[],
  param: string,
  suggestion?: string,
): Error {
  const path = [...parent, name].join('.')
  return fail(
    'invalid-key',
    { key: name, path: parent.length === 0 ? null : path },
    {
      key: name,
      path,
      source: 'query',
      param,
      ...(suggestion === undefined ? {} : { suggestion }),
    },
  )
}

/** Removes the suggestion, for callers who may not know which names exist. */
export function withoutSuggestion(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.details?.['suggestion'] === undefined) return error
  return new ApiError({
    ...error.toMessage(),
    details: { ...error.details, suggestion: undefined },
  })
}

/** Returns `id`, `documentId`, and all readable scalars or those in `fields`. Throws a 400 for other names. */
export function resolveFields(
  model: Model,
  raw: RawFields = '*',
  param = 'fields',
): Omit<Selection, 'populated'> {
  const isType = model.kind === 'type'
  const mayBeNamed = ({ name }: ScalarAttribute): boolean =>
    !isType || model.only?.has(name) !== false
  const own = readableScalars(structureOf(model)).filter(mayBeNamed)
  const leading = isType ? leadingAttributes : [componentIdAttribute]
  const trailing = isType ? trailingAttributes(model.type).filter(mayBeNamed) : []
  if (raw === '*') return { leading, fields: own, trailing }
  const names = new Set(raw)
  const isAll = names.delete('*')
  for (const name of names) {
    const attribute = findAttribute(model, name)
    if (attribute === undefined) {
      if (name === 'createdBy' || name === 'updatedBy') throw refusedName(name, [], param)
      throw unknownName(name, [], param, readableNames(model))
    }
    if (!isScalar(attribute) || !isReadable(attribute)) throw refusedName(name, [], param)
  }
  if (isAll) return { leading, fields: own, trailing }
  const named = ({ name }: ScalarAttribute): boolean => names.has(name)
  return { leading, fields: own.filter(named), trailing: trailing.filter(named) }
}

/** A role is never shown with its users (docs/internals/decisions.md, "Users"). */
export const isUsersOfRole = (model: Model, name: string): boolean =>
  name === 'users' && model.kind === 'type' && model.type.uid === builtIn.role
