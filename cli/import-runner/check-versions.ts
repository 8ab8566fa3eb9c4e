import type { Document } from 'mongodb'
import type { PatternChecker } from '../../engine/patterns/pattern-check.js'
import { attributesIn, structuresOf } from '../../engine/schema/attributes-in.js'
import type { ContentType, Structure } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import { findInvalid } from '../../engine/write/rules/validate-save.js'
import { partOf } from '../../server/backup/parts.js'
import { plainDocumentOf } from '../../server/backup/document-lines.js'
import type { Config } from '../../server/settings/config.js'
import { createPatternPool } from '../../workers/pattern-pool.js'

export type RowError = Readonly<{ path: string; message: string }>

/** Validates a published version, and returns the errors. Returns none for types that need no validation. */
export type VersionCheck = (type: ContentType, version: Document) => Promise<readonly RowError[]>

type CheckContext = Readonly<{
  registry: Registry
  /** Whether to reject versions in which required relations or media are missing. */
  requiredRelations: boolean
  checkPatterns: PatternChecker
}>

/** @param types the types whose versions need validation (`typesToCheck`) */
export function createCheck(types: readonly ContentType[], context: CheckContext): VersionCheck {
  const uids = new Set(types.map(({ uid }) => uid))
  return async (type, version) => {
    if (!uids.has(type.uid)) return []
    const { checkPatterns } = context
    const failures = await findInvalid(
      { ...context, type },
      checkPatterns,
      plainDocumentOf(version),
    )
    return failures.map(({ path, message }) => ({ path: path.join('.'), message }))
  }
}

/** Runs a task with a worker that checks regular expressions with a timeout, because they may be slow. */
export async function withPatterns<T>(
  { settings }: Config,
  task: (checkPatterns: PatternChecker) => Promise<T>,
): Promise<T> {
  const timeoutMs = settings['patterns.timeoutMs']
  const patterns = createPatternPool({ timeoutMs, queueLimit: 0 })
  try {
    return await task(patterns.check)
  } finally {
    await patterns.destroy()
  }
}

/** Returns the content-types whose validation rules may differ from those of the imported data. */
export function typesToCheck(
  registry: Registry,
  differing: ReadonlySet<string>,
): readonly ContentType[] {
  return [...registry.contentTypes.values()].filter(
    (type) => partOf(type.uid) === 'content' && isMadeOf(type, registry, differing),
  )
}

/** Whether `uids` contain the uid of the type, or of a component in it. */
function isMadeOf(type: ContentType, registry: Registry, uids: ReadonlySet<string>): boolean {
  const isAmong = ({ uid }: Structure): boolean => uids.has(uid)
  return (
    isAmong(type) ||
    [...attributesIn(type, registry)].some(({ attribute }) =>
      structuresOf(attribute, registry).some(isAmong),
    )
  )
}
