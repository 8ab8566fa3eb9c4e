/** Exports of `quire-content/client`. */
import { createClient, type Client } from './create-client.js'
import type * as Types from './content-type.js'
import type * as Filters from './filters.js'
import type * as Inputs from './relation-input.js'
import type * as Methods from './methods.js'
import type * as Values from './values.js'
import type { ClientOptions } from './send.js'
import { QuireError } from './quire-error.js'
import type { Fields, Populate, Sort } from './query.js'
import type { Requested, Result } from './result.js'
import { toQueryString } from './query-string.js'
import type { StrapiClient } from './strapi-client.js'
import type { Aggregates } from './aggregate.js'
import type { Bulk, BulkAnswer, Operation, Refused } from './bulk.js'
import type { AttachTo, FileInfo, Upload } from './files.js'
import type { Login } from './accounts.js'

export { createClient, QuireError, toQueryString }
export type {
  Aggregates,
  Requested,
  AttachTo,
  Bulk,
  BulkAnswer,
  Client,
  ClientOptions,
  Fields,
  FileInfo,
  Filters,
  Inputs,
  Login,
  Methods,
  Operation,
  Populate,
  Refused,
  Result,
  Sort,
  StrapiClient,
  Types,
  Upload,
  Values,
}
