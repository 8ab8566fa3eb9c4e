import { costs } from '../cost/cost-units.js'
import type { Component, ContentType } from '../../schema/content-type.js'
import type { Filter, Populated, PopulatedEdge, PopulatedValues, Selection } from './query.js'
import type { Ground } from './resolve-attributes.js'
import { resolveFields, structureOf } from './resolve-attributes.js'
import type { EdgePart, Part } from './resolve-deep-parts.js'
import { findParts, namesOf } from './resolve-deep-parts.js'
import { resolvePublication } from './resolve-versions.js'
import type { Scope } from './scope.js'

/** How a tree is made: how many levels deep, without which names, and who is told of its parts. */
export type DeepRules = Readonly<{
  levels: number
  ignore: ReadonlySet<string>
  /**
   * Told of each part as it is added: what it costs at least, of its own and with all below it that was made
   * before. May throw, to give the tree up.
   */
  charge: (own: number, again: number) => void
}>

/** Where in the tree something stands, as far as it decides what is shown there. */
type Place = Readonly<{
  /** The content-types on the path to it, the entry's own among them, by their bits. */
  path: bigint
  /** Levels that may be shown below. */
  left: number
  /**
   * Edges on the path: what is shared is reached by equally many, so that all who share it can be read before it
   * (`compileBatches`).
   */
  edges: number
}>

/**
 * What is shown, and what that costs at least: `own`, of what entries and their components have themselves, which
 * are projected and gone through wherever they stand, and `below`, of what their edges lead to, as often as they do.
 */
type Shown = Readonly<{ selection: Selection }> & Cost
type Cost = Readonly<{ own: number; below: number }>

type ShownPart = Readonly<{ populated: Populated }> & Cost

/**
 * All that may be seen below entries of a type (docs/decisions.md, "Deep populate"). Parts that are equal are one
 * object, wherever they stand: the tree takes memory for what differs in it, not for what it shows.
 */
export function resolveDeepTree(scope: Scope, type: ContentType, rules: DeepRules): Selection {
  const { registry } = scope
  const { ignore, levels, charge } = rules
  const made = new Map<string, Shown>()
  const bits = new Map([...registry.contentTypes.keys()].map((uid, at) => [uid, 1n << BigInt(at)]))
  const bitOf = ({ uid }: ContentType): bigint => bits.get(uid) ?? 0n
  const partsOf = once((ground: Ground) => findParts(scope, ground, ignore))
  const filterOf = once(findFilter)
  const reached = new Map<string, bigint>()
  const start: Place = { path: bitOf(type), left: levels - 1, edges: 0 }
  return show({ kind: 'type', type }, start, []).selection

  /** `back`: what leads back along the edge by which the entries were reached. */
  function show(ground: Ground, place: Place, back: readonly string[]): Shown {
    const { left, edges } = place
    const { uid } = structureOf(ground)
    const only = ground.kind === 'type' && ground.only !== undefined ? 'only' : ''
    const path = (place.path & reachOf(ground, left)).toString(36)
    const key = `${uid} ${only} ${left} ${edges} ${path} ${left > 0 ? back.join() : ''}`
    const known = made.get(key)
    if (known !== undefined) {
      if (ground.kind === 'component') charge(known.own, known.below)
      else charge(0, known.own + known.below)
      return known
    }
    let [own, below] = [0, 0]
    const populated: Populated[] = []
    if (left > 0) {
      for (const any of partsOf(ground)) {
        const part = onward(any, back)
        if (part === null) continue
        const shown = showPart(part, place)
        populated.push(shown.populated)
        own += shown.own
        below += shown.below
      }
    }
    const shown = { selection: { ...fieldsOf(ground), populated }, own, below }
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

  /** Each type that it may refer to is an edge. */
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

  /** Of media, locales and creators, and of types that are on the path already, what they are themselves. */
  function showTargets({ edge, target, back }: EdgePart, place: Place): Shown {
    const bit = bitOf(edge.target)
    const edges = place.edges + 1
    const isGoneInto = edge.via === 'relation' || edge.via === 'morph'
    if (!isGoneInto || (place.path & bit) !== 0n)
      return show(target, { path: 0n, left: 0, edges }, [])
    const below: Place = { path: place.path | bit, left: place.left - 1, edges }
    return show(target, below, back)
  }

  // Thousands may be made: members are named one by one, which is several times as fast as spreading them.
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

  function fieldsOf(ground: Ground): Omit<Selection, 'populated'> {
    const { leading, fields, trailing } = resolveFields(ground)
    if (ignore.size === 0) return { leading, fields, trailing }
    const isShown = ({ name }: { name: string }): boolean => !ignore.has(name)
    return { leading, fields: fields.filter(isShown), trailing: trailing.filter(isShown) }
  }

  /** The types that could be gone into in so many levels: no other on the path makes a difference. */
  function reachOf(ground: Ground, left: number): bigint {
    if (left <= 1) return 0n
    const key = `${structureOf(ground).uid} ${left}`
    const known = reached.get(key)
    if (known !== undefined) return known
    let types = 0n
    for (const part of partsOf(ground)) {
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

/** A part without what leads back; null where nothing else is in it. */
function onward(part: Part, back: readonly string[]): Part | null {
  if (back.length === 0) return part
  if (back.includes(part.name)) return null
  if (part.kind !== 'morph') return part
  const edges = part.edges.filter((edge) => !namesOf(edge).some((name) => back.includes(name)))
  return edges.length === 0 ? null : { ...part, edges }
}

const nothing = [] as const

const plain = (selection: Selection): PopulatedValues => ({ selection, filter: null, sort: [] })

/** A function that is asked once for each structure or type, and for each type of which only some names are shown. */
function once<K extends Ground | ContentType, V>(find: (of: K) => V): (of: K) => V {
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

function keyOf(of: Ground | ContentType): string {
  if ('uid' in of) return of.uid
  return `${structureOf(of).uid}${of.kind === 'type' && of.only !== undefined ? ' only' : ''}`
}
