import type { ContentType } from './content-type.js'
import { builtIn, type Registry } from './registry.js'

const managed: ReadonlySet<string> = new Set([builtIn.adminUser, builtIn.locale, builtIn.role])

/** Returns undefined if polymorphic relations cannot refer to the type. */
export function morphTarget({ contentTypes }: Registry, uid: string): ContentType | undefined {
  return managed.has(uid) ? undefined : contentTypes.get(uid)
}

/** Returns the types that polymorphic relations may refer to. */
export function morphTargets({ contentTypes }: Registry): readonly ContentType[] {
  return [...contentTypes.values()].filter(({ uid }) => !managed.has(uid))
}
