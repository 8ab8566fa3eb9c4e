import { Readable } from 'node:stream'
import { BSON, type Db } from 'mongodb'
import { builtIn } from '../../engine/schema/registry.js'
import { batchesOf } from '../../engine/values/batches.js'
import type { ExportedEntity, ExportedLink } from '../import-strapi/archive/exported.js'
import type { ArchiveFile } from '../../server/backup/archive/tar-files.js'
import type { Archive } from '../import-strapi/archive/open-archive.js'
import type { Notes } from '../import-strapi/notes.js'
import { permissionModel } from './models/built-in-models.js'
import type { Model } from './models/model.js'
import { convertEntry } from './rows/convert-entry.js'
import { deriveId } from './rows/derive-id.js'
import { loadComponents } from './rows/load-components.js'
import { idsIn, numberRows, rowsOf, type V3Row, type RowNumbers } from './rows/number-rows.js'
import { uploadedFiles } from './uploaded-files.js'
import { createRegistryFrom } from '../../engine/schema/define/define-registry.js'
import { actionsOf } from '../../server/accounts/permission-actions.js'

/** A Strapi 3 project as the source of an import. */
export type V3Source = Readonly<{
  db: Db
  models: readonly Model[]
  /** The settings in `core_store`, by key. */
  settings: ReadonlyMap<string, unknown>
  defaultLocale: string
  /** The folder `public/uploads`. Undefined if the user did not name it. */
  uploads: string | undefined
}>

const batchRows = 200

/** Presents a Strapi 3 project as an export of Strapi 5, generated while it is read. */
export function createV3Archive(source: V3Source): Archive {
  return async function* ({ only, notes }) {
    if (only !== 'assets') yield* contentFiles(source, notes)
    if (only !== 'content' && source.uploads !== undefined) yield* uploadedFiles(source.uploads)
  }
}

async function* contentFiles(
  { db, models, defaultLocale }: V3Source,
  notes: Notes,
): AsyncGenerator<ArchiveFile> {
  const numberOf = await numberRows(db, models, defaultLocale, notes)
  const componentIds = new Map<string, number>()
  const nextComponentId = (uid: string): number => {
    const id = (componentIds.get(uid) ?? 0) + 1
    componentIds.set(uid, id)
    return id
  }
  let count = 0
  for (const model of models) {
    if (model.kind === 'component') continue
    for await (const rows of batchesOf(rowsOf(db, model), batchRows, BSON.calculateObjectSize)) {
      const components = await loadComponents(db, model, rows, models)
      const entities: ExportedEntity[] = []
      const links: ExportedLink[] = []
      const link = (one: ExportedLink) => links.push(one)
      const parts = { models, notes, numberOf, components, nextComponentId, link }
      for (const row of rows) {
        const numbered = numberOf(model, row._id)
        // A row without numbers was created after the rows were numbered, or was already reported as not imported.
        if (numbered === undefined) continue
        entities.push(...(await convertEntry(model, row, numbered, { ...parts, defaultLocale })))
      }
      count += 1
      yield linesFile(`entities/entities_${count}.jsonl`, entities)
      yield linesFile(`links/links_${count}.jsonl`, links)
    }
  }
  yield* permissionFiles(db, models, numberOf)
}

/** Yields the permissions and the links to their roles. They fit into memory: at most one per action and role. */
async function* permissionFiles(
  db: Db,
  models: readonly Model[],
  numberOf: RowNumbers,
): AsyncGenerator<ArchiveFile> {
  const entities: ExportedEntity[] = []
  const links: ExportedLink[] = []
  const actionOf = createActionOf(models)
  const roles = models.find(({ uid }) => uid === builtIn.role)
  for await (const row of rowsOf(db, permissionModel)) {
    const action = actionOf(row)
    const [roleId] = idsIn([row.role])
    const role = roles && roleId && numberOf(roles, roleId)
    if (action === undefined || role === undefined) continue
    const { uid } = permissionModel
    const id = entities.length + 1
    const documentId = deriveId(uid, row._id.toHexString())
    entities.push({ type: uid, id, data: { action, documentId } })
    links.push({
      left: { type: uid, ref: id, field: 'role' },
      right: { type: builtIn.role, ref: role.refs[0] },
    })
  }
  yield linesFile('entities/permissions.jsonl', entities)
  yield linesFile('links/permissions.jsonl', links)
}

function linesFile(name: string, values: readonly unknown[]): ArchiveFile {
  const lines = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
  return { name, size: lines.length, content: Readable.from(lines, { objectMode: false }) }
}

const verbs = ['find', 'findOne', 'create', 'update', 'delete'] as const

/** Plugins and controllers of Strapi 3 that have another name in Strapi 5. */
const renamed: Readonly<Record<string, string>> = {
  'upload.upload': 'upload.content-api',
  'users-permissions.userspermissions': 'users-permissions.role',
}
/** Actions that have another name in Strapi 5. The keys contain the new name of the controller. */
const renamedActions: Readonly<Record<string, string>> = {
  'users-permissions.role.getrole': 'users-permissions.role.findOne',
  'users-permissions.role.getroles': 'users-permissions.role.find',
  'users-permissions.role.getpermissions': 'users-permissions.permissions.getPermissions',
}

/**
 * Creates a function that converts a permission of Strapi 3 to an action of Strapi 5, or to undefined if it is
 * disabled. An action without an equivalent keeps its lower-case name, which matches no route.
 */
function createActionOf(models: readonly Model[]): (row: V3Row) => string | undefined {
  const services = new Map(
    [...actionsOf(createRegistryFrom([], 0)).keys()].map((id) => [id.toLowerCase(), id]),
  )
  return ({ type, controller, action, enabled }) => {
    if (enabled !== true || typeof controller !== 'string' || typeof action !== 'string')
      return undefined
    if (type === 'application') {
      const model = models.find(
        ({ kind, plugin, name }) =>
          kind === 'content-type' && plugin === undefined && name === controller.toLowerCase(),
      )
      const verb = verbs.find((one) => one.toLowerCase() === action.toLowerCase())
      return `${model?.uid ?? `api::${controller}.${controller}`}.${verb ?? action}`
    }
    const place = `${String(type)}.${controller}`
    const fullAction = `${renamed[place] ?? place}.${action}`
    const id = `plugin::${renamedActions[fullAction] ?? fullAction}`
    return services.get(id.toLowerCase()) ?? id
  }
}
