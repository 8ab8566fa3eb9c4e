import type { ContentType } from './content-type.js'
import { builtIn, type Registry } from './registry.js'

/** Types that the service manages itself. Content cannot refer to them. */
const managed: ReadonlySet<string> = new Set([builtIn.adminUser, builtIn.locale, builtIn.role])

/** Returns the content-type with this uid if a polymorphic relation may refer to its entries. */
export function morphTarget({ contentTypes }: Registry, uid: string): ContentType | undefined {
  return managed.has(uid) ? undefined : contentTypes.get(uid)
}

/** Returns all content-types that a polymorphic relation may refer to. */
export function morphTargets({ contentTypes }: Registry): readonly ContentType[] {
  return [...contentTypes.values()].filter(({ uid }) => !managed.has(uid))
}
