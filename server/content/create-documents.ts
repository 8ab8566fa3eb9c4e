import type { Db } from 'mongodb'
import { fail } from '../../engine/errors.js'
import type { Executor, PreparedRead, ReadAnswer, ReadContext, ReadTarget } from '../../engine/read.js'
import { prepareRead } from '../../engine/read.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { WriteContext } from '../../engine/write.js'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  deleteSingleDocument,
  saveSingleDocument,
  updateDocument,
} from '../../engine/write.js'
import type { LocaleSet } from '../services.js'
import type { Settings } from '../settings.js'
import type { Documents, EntryKey, ReadRequest, WriteRequest } from './documents.js'

export type DocumentsParts = Readonly<{
  db: Db
  settings: Settings
  registry: () => Registry
  locales: () => LocaleSet
  executor: Executor
}>

/** Binds the engine's read and write functions to the live registry, locales and settings. */
export function createDocuments(parts: DocumentsParts): Documents {
  const prepare = (
    type: ContentType,
    request: ReadRequest,
    purpose: 'read' | 'answer' = 'read',
  ): PreparedRead =>
    prepareRead(type, request.search, readContext(parts, request), purpose, request.status)
  const run = async (
    prepared: PreparedRead,
    of: ReadTarget['of'],
    request: ReadRequest,
  ): Promise<ReadAnswer> => {
    const answer = await prepared.run(readTarget(parts, of, request), request.signal)
    if (answer === null) throw fail('not-found')
    return answer
  }
  const written = (request: WriteRequest) =>
    [writeContext(parts, request), writeScope(request)] as const
  const options = ({ ifRevision }: WriteRequest) => (ifRevision === undefined ? {} : { ifRevision })
  return {
    find: async (type, request) => run(prepare(type, request), 'list', request),
    findOne: async (type, key, request) => {
      const prepared = prepare(type, request)
      // `*` names no version of one document.
      if (prepared.locale === '*' && type.localized) throw fail('not-found')
      return run(prepared, targetOf(key), request)
    },
    prepareAnswer: (type, request) => {
      const prepared = prepare(type, request, 'answer')
      const { status, locale } = prepared
      return { status, locale, of: (key) => run(prepared, targetOf(key), request) }
    },
    create: (type, data, request) => {
      const [context, scope] = written(request)
      return createDocument(context, type, scope, data)
    },
    update: (type, documentId, data, request) => {
      const [context, scope] = written(request)
      return updateDocument(context, type, documentId, scope, data, options(request))
    },
    saveSingle: (type, data, request) => {
      const [context, scope] = written(request)
      return saveSingleDocument(context, type, scope, data, options(request))
    },
    delete: (type, documentId, request) => {
      const [context, scope] = written(request)
      return deleteDocument(context, type, documentId, scope, options(request))
    },
    deleteSingle: (type, request) => {
      const [context, scope] = written(request)
      return deleteSingleDocument(context, type, scope, options(request))
    },
    act: (type, documentId, action, request) => {
      const [context, scope] = written(request)
      return actOnDocument(context, type, documentId, scope, action)
    },
  }
}

const targetOf = (key: EntryKey): ReadTarget['of'] => ('single' in key ? 'single' : key)

function readContext(parts: DocumentsParts, { grant, parameters }: ReadRequest): ReadContext {
  const { settings, executor } = parts
  return {
    registry: parts.registry(),
    grant,
    executor,
    limits: {
      maxArrayLength: settings['api.rest.maxArrayLength'],
      nestedPagination: settings['api.rest.nestedPagination'],
      unknownParameters: parameters === 'lenient' ? 'ignore' : 'refuse',
    },
    rules: {
      defaultLimit: settings['api.rest.defaultLimit'],
      maxLimit: settings['api.rest.maxLimit'],
      maxPopulateDepth: settings['api.rest.maxPopulateDepth'],
      maxPopulateNodes: settings['api.rest.maxPopulateNodes'],
      wrapFilteredRelations: settings['api.rest.wrapFilteredRelations'],
      nestedPagination: settings['api.rest.nestedPagination'],
      defaultLocale: parts.locales().default,
    },
  }
}

function readTarget(
  { settings, locales }: DocumentsParts,
  of: ReadTarget['of'],
  { envelope, format = 'flat' }: ReadRequest,
): ReadTarget {
  return {
    of,
    envelope,
    format,
    locales: locales().codes,
    maxPopulatedEntries: settings['api.rest.maxPopulatedEntries'],
    timeoutMs: settings['api.rest.queryTimeoutMs'],
  }
}

function writeContext(parts: DocumentsParts, { grant, actor }: WriteRequest): WriteContext {
  const { codes, default: defaultLocale } = parts.locales()
  return { registry: parts.registry(), db: parts.db, grant, actor, locales: codes, defaultLocale }
}

function writeScope({ status = 'published', locale }: WriteRequest) {
  return { status, locale }
}
