import type { Attribute } from '../attribute.js'
import type { Component, Structure } from '../content-type.js'
import type { Report } from '../schema-error.js'
import { didYouMean } from '../../errors/nearest-name.js'

/**
 * Checks that a content-type or component only refers to components that exist.
 * @returns its attributes. As in Strapi, missing components are removed from dynamic zones
 */
export function linkComponents(
  structure: Structure,
  components: ReadonlyMap<string, Component>,
  report: Report,
): ReadonlyMap<string, Attribute> {
  const linked = new Map(structure.attributes)
  for (const attribute of structure.attributes.values()) {
    const path = `attributes.${attribute.name}`
    if (attribute.type === 'component' && !components.has(attribute.component))
      report(`${path}.component`, missing(attribute.component, components))
    if (attribute.type !== 'dynamiczone') continue
    for (const uid of attribute.components.filter((uid) => !components.has(uid)))
      report.warn(`${path}.components`, `it is left out: ${missing(uid, components)}`)
    const known = attribute.components.filter((uid) => components.has(uid))
    linked.set(attribute.name, { ...attribute, components: known })
  }
  return linked
}

/** Reports a component that contains itself, directly or through others. */
export function checkContainment(
  component: Component,
  components: ReadonlyMap<string, Component>,
  report: Report,
): void {
  for (const [name, uid] of innerComponents(component)) {
    const chain = chainBetween(uid, component.uid, components, new Set())
    if (chain !== undefined)
      report(`attributes.${name}`, `contains itself: ${[component.uid, ...chain].join(' > ')}`)
  }
}

function chainBetween(
  from: string,
  to: string,
  components: ReadonlyMap<string, Component>,
  seen: Set<string>,
): readonly string[] | undefined {
  if (from === to) return [to]
  const component = components.get(from)
  if (component === undefined || seen.has(from)) return undefined
  seen.add(from)
  for (const [, uid] of innerComponents(component)) {
    const rest = chainBetween(uid, to, components, seen)
    if (rest !== undefined) return [from, ...rest]
  }
  return undefined
}

function innerComponents(component: Component): readonly (readonly [name: string, uid: string])[] {
  return [...component.attributes.values()].flatMap((attribute) =>
    attribute.type === 'component' ? [[attribute.name, attribute.component] as const] : [],
  )
}

function missing(uid: string, components: ReadonlyMap<string, Component>): string {
  return `there is no component "${uid}"${didYouMean(uid, components.keys())}`
}
