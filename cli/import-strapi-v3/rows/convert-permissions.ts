import { createRegistryFrom } from '../../../engine/schema/define-registry.js'
import { actionsOf } from '../../../server/accounts/permission-actions.js'
import type { Model } from '../models/model.js'
import type { FormerRow } from './number-rows.js'

const verbs = ['find', 'findOne', 'create', 'update', 'delete'] as const

/** Controllers that are called otherwise here, by plugin and controller. */
const renamed: Readonly<Record<string, string>> = {
  'upload.upload': 'upload.content-api',
  'users-permissions.userspermissions': 'users-permissions.role',
}
/** Actions of theirs that are. */
const renamedActions: Readonly<Record<string, string>> = {
  'users-permissions.role.getrole': 'users-permissions.role.findOne',
  'users-permissions.role.getroles': 'users-permissions.role.find',
  'users-permissions.role.getpermissions': 'users-permissions.permissions.getPermissions',
}

/**
 * What a row of Strapi 3's permissions allows, in the form of a Strapi 5: all of its names are in small letters there.
 * What has no counterpart is called as it was, so that whoever looks for it finds none.
 * @returns undefined for one that is switched off
 */
export function createActionOf(models: readonly Model[]): (row: FormerRow) => string | undefined {
  const services = new Map(
    actionsOf(createRegistryFrom([], 0)).map(({ id }) => [id.toLowerCase(), id]),
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
    const asked = `${renamed[place] ?? place}.${action}`
    const id = `plugin::${renamedActions[asked] ?? asked}`
    return services.get(id.toLowerCase()) ?? id
  }
}
