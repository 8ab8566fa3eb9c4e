import type { ContentType } from '../../engine/schema/content-type.js'
import { isObject } from '../../engine/values/is-object.js'
import type { Json } from '../http/route.js'
import { objectOf, showAttributes } from './show-attributes.js'

/** A content-type as Strapi's content-type builder shows it. */
export function showContentType(type: ContentType): Json {
  const pluginOptions = objectOf(type.definition, 'pluginOptions')
  const builder = pluginOptions['content-type-builder']
  return {
    uid: type.uid,
    plugin: type.uid.startsWith('plugin::') ? pluginOf(type.uid) : undefined,
    apiID: type.uid.slice(type.uid.indexOf('.') + 1),
    schema: {
      draftAndPublish: type.draftAndPublish,
      displayName: type.displayName,
      singularName: type.singularName,
      pluralName: type.pluralName,
      description: objectOf(type.definition, 'info')['description'] ?? '',
      pluginOptions,
      kind: type.kind,
      collectionName: type.collectionName,
      attributes: showAttributes(type),
      visible: !(isObject(builder) && builder['visible'] === false),
      restrictRelationsTo: null,
    },
  }
}

function pluginOf(uid: string): string {
  return uid.slice('plugin::'.length, uid.indexOf('.'))
}
