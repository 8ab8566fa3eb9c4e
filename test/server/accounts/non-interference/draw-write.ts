import { isScalar, type Attribute } from '../../../../engine/schema/attribute.js'
import type { ContentType, Structure } from '../../../../engine/schema/content-type.js'
import { builtIn, componentOf, typeOf, type Registry } from '../../../../engine/schema/registry.js'
import { contentTypesOf, documentIdsOf } from '../../../engine/read/execute/naive/draw-world.js'
import type { Draw } from '../../../engine/read/execute/naive/draw.js'
import { samples } from '../../../engine/read/execute/naive/sample-values.js'
import type { AnyRequest } from './draw-request.js'
import type { Permissions } from './permissions.js'

type Given = Readonly<{ draw: Draw; registry: Registry }>

/** Draws a write request. Most are permitted and have a mostly valid body. */
export function drawWrite(draw: Draw, registry: Registry, permissions: Permissions): AnyRequest {
  const given = { draw, registry }
  if (draw.chance(4)) return drawAuth(draw)
  const all = contentTypesOf(registry)
  const allowed = all.flatMap((type) =>
    ['create', 'update', 'delete', 'publish']
      .filter((verb) => permissions.has(`${type.uid}.${verb}`))
      .map((verb) => ({ type, verb })),
  )
  const { type, verb } =
    allowed.length > 0 && draw.chance(95)
      ? draw.pick(allowed)
      : { type: draw.pick(all), verb: draw.pick(['create', 'update', 'delete', 'publish']) }
  const path = `/api/${type.pluralName}`
  const one = `${path}/${draw.pick(documentIdsOf(type))}`
  const search = `?${drawSearch(draw, type)}`
  const headers: Record<string, string> = draw.chance(10) ? { 'Strapi-Response-Format': 'v4' } : {}
  switch (verb) {
    case 'create': {
      const key: Record<string, string> = draw.chance(15)
        ? { 'Idempotency-Key': draw.pick(['a', 'b']) }
        : {}
      const body = { data: drawBody(given, type, type) }
      return { method: 'POST', path: path + search, headers: { ...headers, ...key }, body }
    }
    case 'update': {
      // An ETag that matches no version. Real ETags would differ between the two services, because hidden changes also
      // raise revisions.
      const match: Record<string, string> = draw.chance(10) ? { 'If-Match': '"0-x"' } : {}
      const body = { data: drawBody(given, type, type) }
      return { method: 'PUT', path: one + search, headers: { ...headers, ...match }, body }
    }
    case 'delete':
      return { method: 'DELETE', path: one + draw.pick(['', '?locale=*', '?locale=fr']), headers }
    default: {
      const action = draw.pick(['publish', 'publish', 'unpublish', 'discard-draft'])
      return { method: 'POST', path: `${one}/actions/${action}${search}`, headers }
    }
  }
}

/** Draws an authentication request, whose response must not reveal whether an account exists. */
function drawAuth(draw: Draw): AnyRequest {
  const name = draw.pick(['abc', 'zy', 'all', 'nobody'])
  const email = `${name}${draw.index(3)}@example.org`
  const [path, body] = draw.pick([
    ['forgot-password', { email }],
    [
      'reset-password',
      { code: 'user0.x', password: 'Passw0rd!', passwordConfirmation: 'Passw0rd!' },
    ],
    ['local', { identifier: email, password: 'a guess' }],
  ] as const)
  return { method: 'POST', path: `/api/auth/${path}`, headers: {}, body }
}

function drawSearch(draw: Draw, type: ContentType): string {
  const names = [...type.attributes.values()].filter((attribute) => !isScalar(attribute))
  const populate = () => {
    const { name } = draw.pick(names)
    return draw.pick([
      'populate=*',
      `populate=${name}`,
      `populate[${name}][populate]=*`,
      `populate[${name}][filters][documentId][$notNull]=true`,
      `populate[${name}][sort]=id`,
      'populate[createdBy]=true',
      'populate=localizations',
    ])
  }
  return [
    ...(draw.chance(60) ? [populate()] : []),
    ...(draw.chance(40) ? ['status=draft'] : []),
    ...(draw.chance(20) ? [`locale=${draw.pick(['fr', 'de', 'xx'])}`] : []),
    ...(draw.chance(5) ? ['fields=note'] : []),
  ].join('&')
}

function drawBody(given: Given, structure: Structure, type: ContentType): object {
  const { draw } = given
  const all = [...structure.attributes.values()]
  // Prefers relations, because they are the most likely to reveal hidden data.
  const edges = all.filter((attribute) => !isScalar(attribute))
  const attributes = draw.some(edges.length > 0 && draw.chance(50) ? edges : all, 3)
  const odd = draw.chance(4)
    ? [[draw.pick(['id', 'createdBy', 'nothing', '_revision', 'localizations', 'locale']), 1]]
    : []
  const drawn = attributes.map((attribute) => [attribute.name, drawInput(given, attribute, type)])
  return Object.fromEntries([...drawn, ...odd] as [string, unknown][])
}

function drawInput(given: Given, attribute: Attribute, type: ContentType): unknown {
  const { draw, registry } = given
  if (draw.chance(8)) return null
  if (isScalar(attribute)) return drawScalar(draw, attribute)
  const component = (uid: string): object => drawBody(given, componentOf(registry, uid), type)
  switch (attribute.type) {
    case 'component':
      return attribute.repeatable
        ? Array.from({ length: draw.index(3) }, () => component(attribute.component))
        : component(attribute.component)
    case 'dynamiczone':
      return Array.from({ length: draw.index(3) }, () => {
        const uid = draw.pick(attribute.components)
        return { __component: uid, ...component(uid) }
      })
    case 'media':
      return drawRelation(draw, typeOf(registry, builtIn.file), attribute.multiple)
    case 'relation':
      return drawRelation(draw, typeOf(registry, attribute.target), attribute.many)
    case 'morph': {
      const target = draw.pick([...registry.contentTypes.values()])
      const documentId = draw.pick(documentIdsOf(target, 8))
      return draw.pick([[], { __type: target.uid, documentId }])
    }
  }
}

function drawScalar(draw: Draw, attribute: Attribute & { type: keyof typeof samples }): unknown {
  const sample = draw.pick(samples[draw.chance(5) ? 'integer' : attribute.type])
  const { stored } = sample
  const isPlain = typeof stored !== 'bigint' && (typeof stored !== 'object' || isJson(attribute))
  return isPlain ? stored : (sample.texts[0] ?? null)
}

const isJson = ({ type }: Attribute): boolean => ['json', 'array', 'blocks'].includes(type)

function drawRelation(draw: Draw, target: ContentType, many: boolean): unknown {
  const name = (): unknown => {
    const documentId = draw.pick(documentIdsOf(target, 8))
    const id = 1 + draw.index(150)
    return draw.pick([documentId, documentId, { documentId }, id, { id }, String(id)])
  }
  const names = () => Array.from({ length: draw.index(3) }, name)
  const placed = () => {
    const documentId = draw.pick(documentIdsOf(target, 8))
    const other = draw.pick(documentIdsOf(target, 8))
    const position = draw.pick([
      { before: other },
      { after: other },
      { start: true },
      { end: true },
    ])
    return { documentId, position }
  }
  if (!many && draw.chance(50)) return name()
  switch (draw.index(5)) {
    case 0:
      return names()
    case 1:
      return { set: names() }
    case 2:
      return { connect: [placed()] }
    case 3:
      return { connect: names(), disconnect: names() }
    default:
      return { disconnect: names() }
  }
}
