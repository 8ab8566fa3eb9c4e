import type { Component } from '../../engine/schema/content-type.js'
import type { Json } from '../http/route.js'
import { objectOf, showAttributes } from './show-attributes.js'

/** A component as Strapi's content-type builder shows it. */
export function showComponent(component: Component): Json {
  const { uid, category, displayName, definition } = component
  const info = objectOf(definition, 'info')
  return {
    uid,
    category,
    apiId: uid.slice(category.length + 1),
    schema: {
      icon: info['icon'],
      displayName,
      description: info['description'] ?? '',
      collectionName:
        typeof definition['collectionName'] === 'string' ? definition['collectionName'] : undefined,
      pluginOptions: objectOf(definition, 'pluginOptions'),
      attributes: showAttributes(component),
    },
  }
}
