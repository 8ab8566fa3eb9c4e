import type { Registry } from '../../engine/schema/registry.js'
import type { WriteContext, WriteScope } from '../../engine/write.js'
import type { Settings } from '../settings/settings.js'
import type { WriteRequest } from './documents.js'
import type { DocumentsParts, InFlightWrite } from './documents-parts.js'

/** Assumed maximum difference between the clocks of two processes, in milliseconds. */
const clocksMs = 10_000

/** Returns for how many milliseconds after its start a write may still send commands to the database. */
export const lastStepsMs = (settings: Settings): number =>
  settings['api.rest.writeTimeoutMs'] + clocksMs

/** Creates the context of a write. */
export function writeContext(
  parts: DocumentsParts,
  registry: Registry,
  { grant, actor, time, timeline, ignored, dryRun }: WriteRequest,
  begun: InFlightWrite | undefined,
): WriteContext {
  const { codes, default: defaultLocale } = parts.locales()
  const { db, settings, checkPatterns, holdsLocale, singleProcess = false } = parts
  const publishingMs = singleProcess ? 0 : lastStepsMs(settings)
  return {
    registry,
    db,
    grant,
    actor,
    locales: codes,
    defaultLocale,
    checkPatterns,
    holdsLocale,
    publishingMs,
    time,
    timeline,
    dryRun,
    ignored: settings['api.rest.unknownKeys'] === 'ignore' ? (ignored ?? unnoticed) : undefined,
    requiredRelations: settings['validation.requiredRelations'],
    enforceAllowedTypes: settings['upload.enforceAllowedTypes'],
    generateUids: settings['api.rest.generateUids'],
    transactions: true,
    journal: begun?.log,
    agreed: parts.agreed,
    privateFiles: parts.privateFilesOf?.(grant),
  }
}

const unnoticed = (): void => undefined

export function writeScope({
  status = 'published',
  locale,
  bodyParameters,
}: WriteRequest): WriteScope {
  return { status, locale, bodyParameters }
}
