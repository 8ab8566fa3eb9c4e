import type { Collection, Db, Document } from 'mongodb'
import {
  strandingChanges,
  type StrandingChange,
} from '../../engine/schema/compare/compare-types.js'
import { defineAll, type SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { silentReport, type SchemaProblem } from '../../engine/schema/schema-error.js'
import type { StoredPlace, Types } from '../../engine/schema/stored-places.js'
import { ownCommand } from '../settings/own-command.js'
import { valueTypes } from './content-counter.js'
import type { Conversion, Converting } from './definition-store.js'
import type { SchemaEffect } from './schema-effect.js'
import { schemaEffects, type SchemaChange } from './schema-effects.js'

/**
 * Finds the effects of a schema change on content, without writing. `problems` prevent the service from starting:
 * entries that would no longer be found, values that would be misread, violations of a new `unique`. Each names a
 * solution.
 *
 * @param singleProcess whether only this process uses the database
 */
export async function reviewChange(
  db: Db,
  change: SchemaChange,
  singleProcess: boolean,
): Promise<Readonly<{ problems: readonly SchemaProblem[]; effects: readonly SchemaEffect[] }>> {
  const { everDefined, replaced, renamed, after, definitions, converted = false } = change
  const sources = new Map(definitions.map(({ uid, source }) => [uid, source]))
  const problems: SchemaProblem[] = []
  const ever = typesOf(everDefined)
  const ofReplaced = strandingChanges(typesOf(replaced), after)
  const ownEntries = ofReplaced.filter(({ path }) => path === 'collectionName')
  for (const stranding of [...strandingChanges(ever, after), ...ownEntries]) {
    if (converted && stranding.turnsOn !== undefined) continue
    const place = await firstFilled(db, stranding)
    if (place === undefined) continue
    const source = sources.get(stranding.uid) ?? stranding.uid
    problems.push({
      source,
      path: stranding.path,
      message: explain(stranding, place, {
        ever,
        after,
        singleProcess,
        renames: renamed.length > 0,
      }),
    })
  }
  const effects = await schemaEffects(db, change)
  problems.push(...effects.filter(({ refused }) => refused))
  return { problems, effects }
}

/** Message for actions that must wait for the end of a conversion. */
export const unfinished = ({ conversions }: Converting): string =>
  `The entries of ${conversions.map(({ uid }) => uid).join(', ')} are being converted. ` +
  `To finish that, run \`${ownCommand('schema apply')}\` with the definitions that started the conversion`

/** Returns the conversions that a change requires because it enables drafts or locales. */
export function conversionsFor(
  { everDefined, after }: Pick<SchemaChange, 'everDefined' | 'after'>,
  defaultLocale: string,
): readonly Conversion[] {
  const conversions = new Map<string, Conversion>()
  for (const { uid, turnsOn } of strandingChanges(typesOf(everDefined), after)) {
    if (turnsOn === undefined) continue
    const known = conversions.get(uid) ?? { uid, drafts: false, locale: null }
    const more = turnsOn === 'drafts' ? { drafts: true } : { locale: defaultLocale }
    conversions.set(uid, { ...known, ...more })
  }
  return [...conversions.values()]
}

/** Creates types from stored definitions. Reports no problems, because the definitions were checked before storing. */
export function typesOf(definitions: readonly SourcedDefinition[]): Types {
  const { contentTypes, components } = defineAll(definitions, () => silentReport, [])
  const valuesOf = <T>(defined: ReadonlyMap<string, Readonly<{ value: T }>>) =>
    new Map([...defined].map(([uid, { value }]) => [uid, value]))
  return { contentTypes: valuesOf(contentTypes), components: valuesOf(components) }
}

async function firstFilled(
  db: Db,
  { places, differs = false }: StrandingChange,
): Promise<StoredPlace | undefined> {
  for (const place of places)
    for (const collection of place.collections) {
      const found = differs
        ? await firstDiffering(db.collection(collection), place)
        : await db.collection(collection).findOne(conditionOf(place), { projection: { _id: 1 } })
      if (found !== null) return place
    }
  return undefined
}

/** Looks for a document whose locales have different values. Returns its values, or null if there is none. */
function firstDiffering(collection: Collection, { value }: StoredPlace): Promise<Document | null> {
  const values = { $addToSet: { $ifNull: [`$${value?.field ?? ''}`, null] } }
  const pipeline = [
    { $group: { _id: '$documentId', values } },
    { $match: { 'values.1': { $exists: true } } },
    { $limit: 1 },
  ]
  return collection.aggregate(pipeline, { allowDiskUse: true }).next()
}

function conditionOf({ value }: StoredPlace): Document {
  if (value === undefined) return {}
  const { field, zone, json } = value
  // `$ne: null` would match a list of components only if all have a value; one suffices here.
  const holds = { [field]: { $type: json ? [...valueTypes, 'array'] : valueTypes } }
  if (zone === undefined) return holds
  return { [zone.field]: { $elemMatch: { __component: zone.component, ...holds } } }
}

function explain(stranding: StrandingChange, { type, value }: StoredPlace, scope: Scope): string {
  const { uid, path, from, to, turnsOn, differs } = stranding
  const change = `${uid} cannot change from ${from} to ${to}`
  if (differs === true)
    return `${change}: entries have different values in their locales, and only one value would remain. Undo the change, or make the values equal first`
  if (value === undefined) {
    const found = `${change}: it has entries, which would no longer be found`
    if (turnsOn !== undefined) {
      const command = ownCommand('schema apply')
      return scope.renames
        ? `${found}. Do this in two steps: rename the content-type and start once, then turn this on and convert them: ${command}`
        : `${found}. Convert them: ${command} (${scope.singleProcess ? 'while no service runs' : 'services can keep running'})`
    }
    const lost = losses[path]
    return `${found}${lost === undefined ? '' : `, and ${lost} would be lost`}. Undo the change, or delete these entries first`
  }
  const name = path.split('.').at(-1)
  const field = value.zone === undefined ? value.field : `${value.zone.field}.${value.field}`
  const found = `${change}: entries of ${type} have a value in "${field}"`
  const place = `keep the name and store it in another field: "storedAs": "${name}_2"`
  const previous = proposePreviousUid(stranding, scope)
  if (previous !== undefined)
    return `${found}. ${previous}. If it is not, name the attribute differently, or ${place}`
  return `${found}. Name the attribute differently, or ${place}${proposeRename(stranding, scope)}`
}

type Scope = Readonly<{ ever: Types; after: Types; singleProcess: boolean; renames: boolean }>

function proposeRename({ targets }: StrandingChange, { ever, after }: Scope): string {
  if (targets === undefined) return ''
  const [from, to] = targets
  if (after.contentTypes.has(from) || ever.contentTypes.has(to)) return ''
  return `. If ${to} is the new name of ${from}, add to its definition: "renamedFrom": "${from}"`
}

/** Suggests a remedy for a component whose file may have been renamed. */
function proposePreviousUid(
  { components }: StrandingChange,
  { ever, after }: Scope,
): string | undefined {
  if (components === undefined) return undefined
  const [from, to] = components
  if (after.components.has(from) || ever.components.has(to)) return undefined
  return `If ${to} is the new name of ${from}, change it back: the uid of a component cannot change, only its "displayName"`
}

/** What is lost when an option is turned off, by its path in a definition. */
const losses: Readonly<Record<string, string | undefined>> = {
  'options.draftAndPublish': 'unpublished changes in drafts',
  'pluginOptions.i18n.localized': 'all locales of each entry except one',
}
