import { isScalar, type Attribute } from '../../../../engine/schema/attribute.js'
import type { Structure } from '../../../../engine/schema/content-type.js'
import { builtIn, componentOf, typeOf, type Registry } from '../../../../engine/schema/registry.js'
import { contentTypesOf, documentIdsOf } from '../../../engine/read/execute/naive/draw-world.js'
import { drawGroupQuery } from '../../../engine/read/execute/naive/draw-groups.js'
import { drawQuery } from '../../../engine/read/execute/naive/draw-query.js'
import { comparisons, textComparisons } from '../../../engine/read/execute/naive/draw-filters.js'
import type { Draw } from '../../../engine/read/execute/naive/draw.js'
import type { Query } from '../../../engine/read/execute/naive/query.js'
import { canRead, type Permissions } from './permissions.js'
import { searchOf } from '../../../engine/read/execute/naive/engine-world.js'
import { samples } from '../../../engine/read/execute/naive/sample-values.js'

export type ReadRequest = Readonly<{ path: string; headers: Readonly<Record<string, string>> }>

export type AnyRequest = ReadRequest & Readonly<{ method?: string; body?: unknown }>

/**
 * Draws a GET request: a plain one, or one that tries to find out hidden data. Most are permitted, because a request
 * that is refused tests little.
 */
export function drawRequest(draw: Draw, registry: Registry, permissions: Permissions): ReadRequest {
  const headers: Record<string, string> = draw.chance(10) ? { 'Strapi-Response-Format': 'v4' } : {}
  if (draw.chance(10)) return { path: drawUsers(draw, registry), headers }
  const all = contentTypesOf(registry)
  const readable = all.filter((type) => canRead(permissions, type, 'published'))
  const type = draw.pick(readable.length > 0 && draw.chance(95) ? readable : all)
  const has = (verb: string): boolean => permissions.has(`${type.uid}.${verb}`)
  const isOne = has('findOne') && (!has('find') || draw.chance(25))
  const search = draw.chance(65)
    ? searchOf(drawScope(draw, drawQuery(draw, registry, type), has('findDrafts')))
    : drawProbes(draw, registry, type)
  if (!isOne && draw.chance(20)) {
    const { status, ...query } = drawGroupQuery(draw, registry, type)
    const scoped = status === 'draft' && !has('findDrafts') ? query : { ...query, status }
    const search = draw.chance(70) ? searchOf(scoped) : drawGroupProbe(draw, registry, type)
    return { path: `/api/${type.pluralName}/aggregate?${search}`, headers }
  }
  const one = isOne ? `/${draw.pick(documentIdsOf(type))}` : ''
  return { path: `/api/${type.pluralName}${one}?${search}`, headers }
}

function drawGroupProbe(draw: Draw, registry: Registry, type: Structure): string {
  const path = walk(draw, registry, type, 1 + draw.index(3)).join('.')
  return draw.pick([`groupBy=${path}`, `groupBy=${path}`, `max=${path}`, `sum=${path}`])
}

function drawScope(draw: Draw, { status, ...query }: Query, drafts: boolean): Query {
  if (drafts) return draw.chance(60) ? { ...query, status: 'draft' } : query
  return status === undefined || draw.chance(95) ? query : { ...query, status }
}

function drawUsers(draw: Draw, registry: Registry): string {
  const path = draw.pick([
    'users',
    'users',
    'users/count',
    'users/1',
    'upload/files',
    'upload/files/1',
  ])
  const type = typeOf(registry, path.startsWith('users') ? builtIn.user : builtIn.file)
  return `/api/${path}?${drawProbes(draw, registry, type)}`
}

function drawProbes(draw: Draw, registry: Registry, structure: Structure): string {
  const probe = (): string => {
    const path = walk(draw, registry, structure, 1 + draw.index(3))
    const dotted = path.join('.')
    const brackets = path.map((name) => `[${name}]`).join('')
    const value = encodeURIComponent(draw.pick(draw.pick(samples.string).texts))
    switch (draw.index(8)) {
      case 0:
        return `sort=${dotted}:${draw.pick(['asc', 'desc'])}`
      case 1:
        return `fields=${dotted}`
      case 2:
        return `populate=${dotted}`
      case 3:
        return `populate${path.map((name) => `[${name}]`).join('[populate]')}[${draw.pick(['fields', 'sort'])}]=${walk(draw, registry, structure, 1)[0]}`
      case 4:
        return `_q=${value}`
      case 5:
        return draw.pick([
          'populate=*',
          'status=draft',
          'locale=*',
          'explain=true',
          'hasPublishedVersion=false',
        ])
      default:
        return `filters${brackets}[${draw.pick([...comparisons, ...textComparisons, '$null', '$notNull', '$in'])}]=${value}`
    }
  }
  return Array.from({ length: 1 + draw.index(2) }, probe).join('&')
}

function walk(draw: Draw, registry: Registry, structure: Structure, length: number): string[] {
  const attribute = draw.pick([...structure.attributes.values()])
  if (length <= 1 || draw.chance(15))
    return [draw.chance(25) ? draw.pick(systemNames) : attribute.name]
  const creator = draw.chance(10)
  const next = creator ? typeOf(registry, builtIn.adminUser) : behind(registry, attribute)
  const name = creator ? 'createdBy' : attribute.name
  return next === undefined ? [name] : [name, ...walk(draw, registry, next, length - 1)]
}

const systemNames = ['id', 'documentId', 'createdBy', 'localizations', '_revision', 'permissions']

function behind(registry: Registry, attribute: Attribute): Structure | undefined {
  if (isScalar(attribute)) return undefined
  switch (attribute.type) {
    case 'relation':
      return registry.contentTypes.get(attribute.target)
    case 'media':
      return typeOf(registry, builtIn.file)
    case 'component':
      return componentOf(registry, attribute.component)
    case 'dynamiczone':
    case 'morph':
      return undefined
  }
}
