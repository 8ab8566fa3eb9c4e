import type { ContentType } from './content-type.js'
import { builtIn, type Registry } from './registry.js'

/** uids of types that the service manages itself. Polymorphic relations cannot refer to them. */
const managed: ReadonlySet<string> = new Set([builtIn.adminUser, builtIn.locale, builtIn.role])

/** Returns the content-type with this uid. Returns undefined if polymorphic relations cannot refer to it. */
export function morphTarget({ contentTypes }: Registry, uid: string): ContentType | undefined {
  return managed.has(uid) ? undefined : contentTypes.get(uid)
}

/** Returns all content-types that a polymorphic relation may refer to. */
export function morphTargets({ contentTypes }: Registry): readonly ContentType[] {
  return [...contentTypes.values()].filter(({ uid }) => !managed.has(uid))
}
