import { fail } from '../../errors.js'
import type { Structure } from '../../schema/content-type.js'
import { claimedComponent } from '../../schema/members-in.js'
import type { Registry } from '../../schema/registry.js'
import type { Body } from './read-body.js'
import { isObject } from '../../values/is-object.js'

const maxParts = 10_000

type Count = { parts: number }

/**
 * Rejects a body with more than 10,000 components, entries of dynamic zones and rich text nodes. Checking so many takes
 * half a second, and a body of one megabyte could contain 300,000.
 * @throws 400 that names the limit and the attribute that exceeded it
 */
export function checkSize(body: Body, type: Structure, registry: Registry): void {
  countMembers(body, type, registry, { parts: 0 })
}

function countMembers(body: Body, structure: Structure, registry: Registry, count: Count): void {
  for (const [name, value] of Object.entries(body)) {
    const attribute = structure.attributes.get(name)
    if (attribute?.type === 'blocks') countNodes(value, name, count)
    if (attribute?.type === 'component' || attribute?.type === 'dynamiczone')
      for (const item of Array.isArray(value) ? value : [value]) {
        countPart(name, count)
        const component = isObject(item) ? claimedComponent(item, attribute, registry) : undefined
        if (component !== undefined) countMembers(item as Body, component, registry, count)
      }
  }
}

function countNodes(value: unknown, name: string, count: Count): void {
  if (!Array.isArray(value)) return
  for (const node of value as readonly unknown[]) {
    countPart(name, count)
    if (isObject(node)) countNodes(node['children'], name, count)
  }
}

function countPart(name: string, count: Count): void {
  count.parts += 1
  if (count.parts <= maxParts) return
  const message = `The body holds more than ${maxParts} components and rich text nodes, at ${name}`
  throw fail('validation', message)
}
