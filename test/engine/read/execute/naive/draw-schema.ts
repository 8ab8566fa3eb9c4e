import { relationKinds } from '../../../../../engine/schema/define/define-relation.js'
import type { Registry } from '../../../../../engine/schema/registry.js'
import { component, contentType, define } from '../../../schema/define.js'
import type { Draw } from './draw.js'
import { scalarTypes } from '../../../../../engine/values/scalar-type.js'

type Given = Record<string, object>

const typeNames = ['ant', 'bee', 'cat']
const uidOf = (name: string): string => `api::${name}.${name}`
/** Each component may contain only those after it in the list, so that none contains itself. */
const components = ['p.one', 'p.two', 'p.three']
const opposites = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
} as const

/** Draws content-types with relations of all kinds between them, and components. */
export function drawSchema(draw: Draw): Registry {
  const attributes = new Map(typeNames.map((name) => [name, drawTypeAttributes(draw)]))
  for (const name of typeNames) {
    for (let n = 0; n < 1 + draw.index(3); n += 1)
      drawRelation(draw, attributes, name, `${name}${n}`)
  }
  return define(
    ...typeNames.map((name) =>
      contentType(
        attributes.get(name) ?? {},
        {
          collectionName: `${name}s`,
          options: {
            draftAndPublish: draw.chance(50),
            populateCreatorFields: draw.chance(20),
          },
          pluginOptions: { i18n: { localized: draw.chance(50) } },
        },
        name,
      ),
    ),
    ...components.map((uid, index) =>
      component(uid, drawComponentAttributes(draw, components.slice(index + 1))),
    ),
  )
}

const dress = (draw: Draw, name: string, given: object): object => ({
  ...given,
  ...(draw.chance(20) ? { storedAs: `${name}Stored` } : {}),
  ...(draw.chance(10) ? { private: true } : {}),
})

function drawScalars(draw: Draw): Given {
  const types = ['string', ...draw.some(scalarTypes, 4)]
  return Object.fromEntries(
    types.map((type, index) => {
      const given = type === 'enumeration' ? { type, enum: ['a', 'b', 'É'] } : { type }
      return [`s${index}`, dress(draw, `s${index}`, given)]
    }),
  )
}

function drawStructures(draw: Draw, uids: readonly string[]): Given {
  const given: Given = {}
  for (const [index, uid] of draw.some(uids, 3).entries()) {
    const name = `c${index}`
    given[name] = dress(draw, name, {
      type: 'component',
      component: uid,
      repeatable: draw.chance(60),
    })
  }
  if (draw.chance(40)) given['m'] = { type: 'media', multiple: draw.chance(50) }
  return given
}

function drawTypeAttributes(draw: Draw): Given {
  const zone = draw.some(components, 3)
  return {
    ...drawScalars(draw),
    ...drawStructures(draw, components),
    ...(zone.length === 0 ? {} : { z: { type: 'dynamiczone', components: zone } }),
  }
}

function drawComponentAttributes(draw: Draw, uids: readonly string[]): Given {
  const relation = {
    type: 'relation',
    relation: draw.pick(relationKinds),
    target: uidOf(draw.pick(typeNames)),
  }
  return {
    ...drawScalars(draw),
    ...drawStructures(draw, uids),
    ...(draw.chance(60) ? { r: relation } : {}),
  }
}

/** Adds a relation to a content-type. If it has two sides, also adds the inverse side to the target. */
function drawRelation(
  draw: Draw,
  attributes: ReadonlyMap<string, Given>,
  from: string,
  name: string,
): void {
  const to = draw.pick(typeNames)
  const relation = draw.pick(relationKinds)
  const near = { type: 'relation', relation, target: uidOf(to) }
  const far = {
    type: 'relation',
    relation: opposites[relation],
    target: uidOf(from),
    mappedBy: name,
  }
  const there = attributes.get(to)
  const here = attributes.get(from)
  if (here === undefined || there === undefined) return
  if (draw.chance(40)) {
    here[name] = dress(draw, name, near)
    return
  }
  here[name] = dress(draw, name, { ...near, inversedBy: `${name}Back` })
  there[`${name}Back`] = far
}
