import type { ContentType } from './content-type.js'
import { builtIn, type Registry } from './registry.js'

/** What the service manages itself: no content refers to it. */
const managed: ReadonlySet<string> = new Set([builtIn.adminUser, builtIn.locale, builtIn.role])

/** A content-type whose entries a polymorphic relation may refer to; undefined where there is none of that uid. */
export function morphTarget({ contentTypes }: Registry, uid: string): ContentType | undefined {
  return managed.has(uid) ? undefined : contentTypes.get(uid)
}

/** All of them. */
export function morphTargets({ contentTypes }: Registry): readonly ContentType[] {
  return [...contentTypes.values()].filter(({ uid }) => !managed.has(uid))
}
