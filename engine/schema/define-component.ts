import type { Component, Definition } from './content-type.js'
import { defineAttributes } from './define-structure.js'
import { readObject, readText } from './read-options.js'
import type { Report } from './schema-error.js'
import { within } from './schema-error.js'

/** A component from its definition; its `collectionName` means nothing here, components are embedded. `hidden` as for types. */
export function defineComponent(
  uid: string,
  definition: Definition,
  report: Report,
  hidden: readonly string[] = [],
): Component {
  const dot = uid.indexOf('.')
  const info = readObject(definition, 'info', report)
  return Object.freeze({
    uid,
    category: uid.slice(0, dot),
    displayName: readText(info, 'displayName', within(report, 'info')) ?? uid.slice(dot + 1),
    attributes: defineAttributes(
      definition,
      readObject(definition, 'options', report),
      { uid, inComponent: true, localizedType: false, hidden },
      report,
    ),
    definition,
  })
}
