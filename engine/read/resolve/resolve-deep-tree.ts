import { costs } from '../cost/cost-units.js'
import type { Component, ContentType } from '../../schema/content-type.js'
import type { Filter, Populated, PopulatedEdge, PopulatedValues, Selection } from './query.js'
import type { Model } from './resolve-attributes.js'
import { resolveFields, structureOf } from './resolve-attributes.js'
import type { EdgePart, Part } from './resolve-deep-parts.js'
import { findParts, namesOf } from './resolve-deep-parts.js'
import { resolvePublication } from './resolve-versions.js'
import type { Scope } from './scope.js'

/** Options of a deep populate tree. */
export type DeepRules = Readonly<{
  levels: number
  ignore: ReadonlySet<string>
  /**
   * Called for each part that is added. Throwing an error stops the resolver.
   * @param own minimum cost of the part itself; 0 for known entries, because they are read once
   * @param again minimum cost of a known part that occurs again
   */
  charge: (own: number, again: number) => void
}>

/** A position in the tree, with everything that affects which members are shown there. */
type Place = Readonly<{
  /** One bit for each content-type on the path, including that of the entry itself. */
  path: bigint
  /** Number of levels that may still follow. */
  left: number
  /**
   * Number of edges on the path. Only positions with the same number share a selection, because `compileBatches`
   * requires that all sources of a shared node are read before its entries.
   */
  edges: number
}>

/**
 * The minimum cost of the entries and their components (`own`), and of everything that their edges lead to (`below`). A
 * part that occurs several times is counted each time.
 */
type Shown = Readonly<{ selection: Selection }> & Cost
type Cost = Readonly<{ own: number; below: number }>

type ShownPart = Readonly<{ populated: Populated }> & Cost

/**
 * Resolves everything that the caller may see below entries of a type (docs/internals/decisions.md, "Deep populate").
 * Equal parts are one object, to save memory.
 */
export function resolveDeepTree(scope: Scope, type: ContentType, rules: DeepRules): Selection {
  const { registry } = scope
  const { ignore, levels, charge } = rules
  const made = new Map<string, Shown>()
  const bits = new Map([...registry.contentTypes.keys()].map((uid, at) => [uid, 1n << BigInt(at)]))
  const bitOf = ({ uid }: ContentType): bigint => bits.get(uid) ?? 0n
  const partsOf = once((model: Model) => findParts(scope, model, ignore))
  const filterOf = once(findFilter)
  const reached = new Map<string, bigint>()
  const start: Place = { path: bitOf(type), left: levels - 1, edges: 0 }
  return show({ kind: 'type', type }, start, []).selection

  /** @param back inverse attributes of the relation through which `model` was reached. They are not followed */
  function show(model: Model, place: Place, back: readonly string[]): Shown {
    const { left, edges } = place
    const { uid } = structureOf(model)
    const only = model.kind === 'type' && model.only !== undefined ? 'only' : ''
    const path = (place.path & reachOf(model, left)).toString(36)
    const key = `${uid} ${only} ${left} ${edges} ${path} ${left > 0 ? back.join() : ''}`
    const known = made.get(key)
    if (known !== undefined) {
      if (model.kind === 'component') charge(known.own, known.below)
      else charge(0, known.own + known.below)
      return known
    }
    let [own, below] = [0, 0]
    const populated: Populated[] = []
    if (left > 0) {
      for (const any of partsOf(model)) {
        const part = onward(any, back)
        if (part === null) continue
        const shown = showPart(part, place)
        populated.push(shown.populated)
        own += shown.own
        below += shown.below
      }
    }
    const shown = { selection: { ...fieldsOf(model), populated }, own, below }
    made.set(key, shown)
    return shown
  }

  function showPart(part: Part, place: Place): ShownPart {
    if (part.kind === 'edge') return showEdge(part, place)
    if (part.kind === 'morph') return showMorph(part, place)
    if (part.kind === 'component') {
      const { selection, own, below } = showValues(part.component, place)
      const { attribute } = part
      return { populated: { kind: 'component', attribute, ...plain(selection) }, own, below }
    }
    let [own, below] = [0, 0]
    const components = new Map<string, PopulatedValues>()
    for (const component of part.components) {
      const shown = showValues(component, place)
      components.set(component.uid, plain(shown.selection))
      own += shown.own
      below += shown.below
    }
    const { attribute } = part
    return { populated: { kind: 'zone', attribute, components, count: false }, own, below }
  }

  function showMorph({ attribute, edges }: Part & { kind: 'morph' }, place: Place): ShownPart {
    let [own, below] = [0, 0]
    const shown = new Map<string, PopulatedEdge>()
    for (const part of edges) {
      const to = showEdge(part, place)
      shown.set(part.edge.target.uid, to.populated)
      own += to.own
      below += to.below
    }
    const populated = {
      kind: 'morph' as const,
      attribute,
      edges: shown,
      count: false,
      wrapped: false,
    }
    return { populated, own, below }
  }

  function showEdge(part: EdgePart, place: Place): Readonly<{ populated: PopulatedEdge }> & Cost {
    charge(costs.command, 0)
    const { selection, own, below } = showTargets(part, place)
    return { populated: edgeTo(part, selection), own: costs.command, below: own + below }
  }

  function showValues(component: Component, { path, left, edges }: Place): Shown {
    charge(costs.command, 0)
    const place: Place = { path, left: left - 1, edges }
    const { selection, own, below } = show({ kind: 'component', component }, place, [])
    return { selection, own: costs.command + own, below }
  }

  /** Nothing is populated below media, locales and creators, or below types that are already on the path. */
  function showTargets({ edge, target, back }: EdgePart, place: Place): Shown {
    const bit = bitOf(edge.target)
    const edges = place.edges + 1
    const isGoneInto = edge.via === 'relation' || edge.via === 'morph'
    if (!isGoneInto || (place.path & bit) !== 0n)
      return show(target, { path: 0n, left: 0, edges }, [])
    const below: Place = { path: place.path | bit, left: place.left - 1, edges }
    return show(target, below, back)
  }

  // Listing properties is several times as fast as a spread, and there may be thousands of edges.
  function edgeTo({ name, edge }: EdgePart, selection: Selection): PopulatedEdge {
    const filter = filterOf(edge.target)
    return {
      kind: 'edge',
      name,
      edge,
      selection,
      filter,
      sort: nothing,
      count: false,
      wrapped: false,
      page: null,
    }
  }

  function findFilter(target: ContentType): Filter | null {
    const of = resolvePublication(scope, target)
    return of.length === 0 ? null : { kind: 'all', of }
  }

  function fieldsOf(model: Model): Omit<Selection, 'populated'> {
    const { leading, fields, trailing } = resolveFields(model)
    if (ignore.size === 0) return { leading, fields, trailing }
    const isShown = ({ name }: { name: string }): boolean => !ignore.has(name)
    return { leading, fields: fields.filter(isShown), trailing: trailing.filter(isShown) }
  }

  /**
   * Returns the bits of the types that can occur within `left` levels. Other types on the path do not affect the result
   * below.
   */
  function reachOf(model: Model, left: number): bigint {
    if (left <= 1) return 0n
    const key = `${structureOf(model).uid} ${left}`
    const known = reached.get(key)
    if (known !== undefined) return known
    let types = 0n
    for (const part of partsOf(model)) {
      if (part.kind === 'edge' || part.kind === 'morph') {
        for (const { edge, target } of part.kind === 'edge' ? [part] : part.edges)
          if (edge.via === 'relation' || edge.via === 'morph')
            types |= bitOf(edge.target) | reachOf(target, left - 1)
      } else {
        for (const component of part.kind === 'zone' ? part.components : [part.component])
          types |= reachOf({ kind: 'component', component }, left - 1)
      }
    }
    reached.set(key, types)
    return types
  }
}

/** Removes the edges that lead back; null if none is left. */
function onward(part: Part, back: readonly string[]): Part | null {
  if (back.length === 0) return part
  if (back.includes(part.name)) return null
  if (part.kind !== 'morph') return part
  const edges = part.edges.filter((edge) => !namesOf(edge).some((name) => back.includes(name)))
  return edges.length === 0 ? null : { ...part, edges }
}

const nothing = [] as const

const plain = (selection: Selection): PopulatedValues => ({ selection, filter: null, sort: [] })

/** Caches the results of `find` by uid. A type of which only some names are shown has a result of its own. */
function once<K extends Model | ContentType, V>(find: (of: K) => V): (of: K) => V {
  const found = new Map<string, V>()
  return (of) => {
    const key = keyOf(of)
    const known = found.get(key)
    if (known !== undefined) return known
    const made = find(of)
    found.set(key, made)
    return made
  }
}

function keyOf(of: Model | ContentType): string {
  if ('uid' in of) return of.uid
  return `${structureOf(of).uid}${of.kind === 'type' && of.only !== undefined ? ' only' : ''}`
}
