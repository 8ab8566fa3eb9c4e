import type { Db } from 'mongodb'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { defineAll } from '../../engine/schema/define-all.js'
import type { Types } from '../../engine/schema/stored-places.js'
import { readDefinitions } from './definition-store.js'
import { sourced } from './merge-definitions.js'
import { withFormer } from './schema-chain.js'
import { createReport } from '../../engine/schema/schema-error.js'

/** All content-types whose entries a database may hold, with all attributes that they have or had. */
export async function storedTypes(db: Db): Promise<Types> {
  const { definitions, former } = await readDefinitions(db)
  return typesOf(withFormer(former, definitions.map(sourced)))
}

/** They were checked when they were written; what a newer version finds wrong with them does not matter here. */
export function typesOf(definitions: readonly SourcedDefinition[]): Types {
  const { contentTypes, components } = defineAll(definitions, () => silent)
  const valuesOf = <T>(defined: ReadonlyMap<string, Readonly<{ value: T }>>) =>
    new Map([...defined].map(([uid, { value }]) => [uid, value]))
  return { contentTypes: valuesOf(contentTypes), components: valuesOf(components) }
}

const silent = createReport(
  () => undefined,
  () => undefined,
)
