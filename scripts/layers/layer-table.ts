/**
 * Which part of the code may import which (ARCHITECTURE.md shows it as a drawing). A file belongs
 * to the first layer whose `files` match it; its own layer it may always import.
 */
export type Layer = Readonly<{
  name: string
  /**
   * Paths from the project's root: a file, the files of a stage (`engine/write/steps/plan-*.ts`), a folder
   * (`engine/schema/`), or any folder of one (`server/:feature/`), each a layer of its own.
   */
  files: readonly string[]
  /** Layers it may import; `all` = every one, but for those in `except`. */
  imports: readonly string[] | 'all'
  except?: readonly string[]
  /** Layers of which it may import types only. */
  types?: readonly string[]
  /** npm packages and `node:` modules it may import; `all` = every one but those in `reservedPackages`. */
  packages: readonly string[] | 'all'
  /** Whether it may read `process.env`. */
  environment?: boolean
}>

/** Packages that stand behind one door each: the layers that may import them. */
export const reservedPackages: Readonly<Record<string, readonly string[]>> = {
  express: ['server/http', 'composition root', 'tests', 'scripts'],
  '@opentelemetry/api': ['feature', 'tests', 'scripts'],
  '@sentry/core': ['feature', 'tests', 'scripts'],
  piscina: ['workers', 'password hashes', 'tests', 'scripts'],
  'prom-client': ['metrics'],
  commander: ['command line', 'tests', 'scripts'],
}

/** What only computes. */
const values = ['node:buffer', 'node:crypto', 'node:util']

/** For the types and values of BSON (`Document`, `Long`, `Decimal128`): a client or a collection is for `execute` alone. */
const bson = 'mongodb'

export const layerTable: readonly Layer[] = [
  // For those who call the API: it runs in browsers, and knows nothing of the rest.
  { name: 'client', files: ['client/'], imports: [], packages: [] },
  {
    // What every stage may use: errors, the time that is left, and the record of what took how long.
    name: 'errors',
    files: [
      'engine/errors.ts',
      'engine/errors/database-errors.ts',
      'engine/steady-now.ts',
      'engine/timeline.ts',
      'engine/write/write-time.ts',
    ],
    imports: [],
    packages: [],
  },
  {
    name: 'nearest name',
    files: ['engine/errors/nearest-name.ts'],
    imports: [],
    packages: ['fastest-levenshtein'],
  },
  {
    // The service and its worker threads have one each.
    name: 'database client',
    files: ['engine/database/client.ts', 'engine/database/driver-connection.ts'],
    // Of `database`, what the URI prefers, and who is told of commands.
    imports: ['database'],
    packages: ['mongodb', 'node:module', 'node:net'],
  },
  {
    name: 'indexes',
    files: [
      'engine/database/ensure-indexes.ts',
      'engine/database/prepare-collections.ts',
      'engine/database/recorded-indexes.ts',
    ],
    imports: ['errors', 'schema', 'database'],
    packages: [...values, 'mongodb'],
  },
  {
    // It asks the client whether the database was lost between two writes.
    name: 'durability',
    files: [
      'engine/database/durability.ts',
      'engine/database/unit-of-work.ts',
      'engine/database/in-transaction.ts',
      'engine/database/end-abandoned.ts',
      'engine/database/own-database.ts',
      'engine/database/open-live-counts.ts',
    ],
    imports: ['errors', 'database client', 'database'],
    packages: ['mongodb', 'node:timers/promises'],
  },
  // What every writer to MongoDB needs, whatever it writes.
  {
    name: 'database',
    files: ['engine/database/'],
    imports: ['errors', 'values'],
    packages: ['mongodb', 'dataloader', 'node:timers/promises'],
  },
  // Of links to files: answers carry them, bodies bring them back, and the media library checks them.
  {
    name: 'link signatures',
    files: ['engine/values/link-signature.ts'],
    imports: [],
    packages: ['node:crypto'],
  },
  // What a value may be, what is asked of it and how two compare: the same from a definition to an answer.
  { name: 'values', files: ['engine/values/'], imports: ['errors'], packages: [bson, 'nanoid'] },
  // Regular expressions of definitions.
  {
    name: 'patterns',
    files: ['engine/patterns/'],
    imports: [],
    packages: ['@eslint-community/regexpp', 're2js'],
  },
  {
    name: 'schema',
    files: ['engine/schema/'],
    imports: ['errors', 'values', 'nearest name', 'patterns'],
    packages: values,
  },

  // Reading: what is asked (text, then meaning), what is to be done, doing it, saying it.
  {
    // What a query may say, the operators' names among it, and how much of it.
    name: 'query vocabulary',
    files: [
      'engine/read/query/raw-query.ts',
      'engine/read/query/group-words.ts',
      'engine/read/query/bounds.ts',
    ],
    imports: ['errors'],
    types: ['values'],
    packages: [],
  },
  {
    name: 'parse',
    files: [
      'engine/read/query/query-string.ts',
      'engine/read/query/brackets.ts',
      'engine/read/query/pieces.ts',
      'engine/read/query/parse-*.ts',
    ],
    imports: ['query vocabulary', 'values', 'errors', 'nearest name'],
    packages: ['qs'],
  },
  {
    // What was understood before: of all stages up to the plan.
    name: 'known queries',
    files: ['engine/read/query/known-queries.ts'],
    imports: [],
    types: ['resolve', 'plan', 'schema'],
    packages: ['lru-cache'],
  },
  {
    // What a command costs: of a tree whose cost is known while it is made.
    name: 'cost units',
    files: ['engine/read/cost/cost-units.ts'],
    imports: [],
    packages: [],
  },
  {
    name: 'resolve',
    files: ['engine/read/query/'],
    imports: ['query vocabulary', 'cost units', 'schema', 'values', 'errors', 'nearest name'],
    types: ['parse'],
    packages: [...values, 'yup'],
  },
  {
    // How what a plan names is stored; with types, all that the stages after it see of what is planned.
    name: 'plan vocabulary',
    files: [
      'engine/read/plan/read-plan.ts',
      'engine/read/run/bound-query.ts',
      'engine/read/run/read-result.ts',
      'engine/read/run/executor.ts',
      'engine/write/steps/write-plan.ts',
    ],
    imports: [],
    types: ['errors', 'values', 'stored', 'change'],
    packages: [],
  },
  {
    // Documents as the bytes that the database sent.
    name: 'stored',
    files: ['engine/read/run/stored-*.ts'],
    imports: [],
    types: ['plan vocabulary', 'values'],
    packages: ['node:buffer', bson],
  },
  {
    name: 'sampling',
    files: ['engine/read/run/sample-collection.ts'],
    imports: [],
    types: ['plan'],
    packages: ['mongodb'],
  },
  {
    // For whoever keeps what a plan found.
    name: 'collections of a plan',
    files: ['engine/read/plan/collections-read.ts'],
    imports: [],
    types: ['plan vocabulary'],
    packages: [],
  },
  {
    name: 'plan',
    files: [
      'engine/read/plan/',
      'engine/read/cost/',
      'engine/write/steps/plan-*.ts',
      'engine/write/steps/stored-alike.ts',
      'engine/repair/plan-repair.ts',
      'engine/repair/reference-paths.ts',
    ],
    imports: ['plan vocabulary', 'cost units', 'schema', 'values', 'errors'],
    types: ['resolve', 'change', 'stored'],
    packages: values,
  },
  {
    // Which indexes would be worth it, by what is planned.
    name: 'index advice',
    files: ['engine/indexing/'],
    imports: ['cost units', 'schema'],
    types: ['plan vocabulary', 'values'],
    packages: [],
  },
  {
    name: 'compile',
    files: ['engine/read/run/compile-*.ts'],
    imports: ['plan vocabulary', 'values', 'errors'],
    types: ['plan'],
    packages: [...values, 'escape-string-regexp', bson],
  },
  {
    name: 'shape',
    files: ['engine/read/answer/'],
    imports: ['plan vocabulary', 'stored', 'values', 'link signatures', 'errors'],
    types: ['plan'],
    packages: [...values, 'escape-string-regexp', bson],
  },

  // Writing: what the body says, by which rules, what it changes, in which steps.
  {
    // It asks the database for values that are taken.
    name: 'unique values',
    files: ['engine/write/rules/unique.ts'],
    imports: ['errors', 'schema', 'change', 'execute'],
    types: ['values', 'durability'],
    packages: ['node:util'],
  },
  {
    name: 'password hashes',
    files: [
      'engine/write/rules/hash-password.ts',
      'engine/write/rules/hashes-in-wasm.ts',
      'engine/write/rules/hash-thread.ts',
    ],
    imports: ['errors'],
    packages: ['@node-rs/argon2', 'hash-wasm', 'node:crypto', 'piscina'],
  },
  {
    name: 'change',
    files: ['engine/write/body/', 'engine/write/rules/', 'engine/write/change/'],
    imports: ['schema', 'values', 'link signatures', 'errors', 'nearest name'],
    types: ['parse', 'patterns'],
    packages: [...values, 'yup', bson],
  },

  {
    // It compiles as it goes: the command for a populated relation needs the keys that its parents hold.
    name: 'execute',
    files: [
      'engine/read/run/',
      'engine/write/steps/',
      'engine/repair/',
      'engine/explain/explain-pipelines.ts',
    ],
    imports: [
      'database',
      'database client',
      'durability',
      'values',
      'compile',
      'plan vocabulary',
      'stored',
      'errors',
    ],
    types: ['plan', 'change'],
    packages: [...values, 'mongodb'],
  },
  {
    // The doors, and what takes the steps of a write.
    name: 'engine',
    files: ['engine/'],
    imports: [
      'errors',
      'values',
      'database',
      'patterns',
      'schema',
      'parse',
      'resolve',
      'known queries',
      'change',
      'unique values',
      'password hashes',
      'plan',
      'plan vocabulary',
      'stored',
      'sampling',
      'compile',
      'shape',
      'execute',
      'indexes',
      'durability',
    ],
    packages: [...values, 'mongodb'],
  },
  {
    // Whose turn it is, and how much time is left: the same for reads and for requests.
    name: 'admission',
    files: [
      'workers/admission.ts',
      'workers/budget.ts',
      'workers/holds.ts',
      'workers/in-line.ts',
      'workers/service-times.ts',
      'workers/turn-queue.ts',
      'workers/waiting-room.ts',
    ],
    imports: ['errors'],
    packages: [],
  },
  {
    name: 'workers',
    files: ['workers/'],
    // Of `database`, who is told of commands.
    types: ['database'],
    imports: [
      'errors',
      'admission',
      'patterns',
      'database client',
      'cost units',
      'collections of a plan',
      'plan',
      'plan vocabulary',
      'stored',
      'compile',
      'execute',
      'shape',
    ],
    packages: 'all',
  },
  {
    // How Quire and its packages are installed, for messages about it.
    name: 'installation',
    files: [
      'server/settings/own-command.ts',
      'server/settings/own-version.ts',
      'server/settings/find-package.ts',
    ],
    imports: [],
    packages: ['node:fs', 'node:module', 'node:path', 'node:url'],
  },
  {
    name: 'child processes',
    files: ['server/processes/'],
    imports: [],
    packages: ['node:timers/promises', 'node:worker_threads'],
  },
  {
    // What features may know of each other.
    name: 'server vocabulary',
    files: [
      'server/accounts/access-control.ts',
      'server/accounts/caller.ts',
      'server/accounts/lacking.ts',
      'server/signals/signals.ts',
      'server/content/documents.ts',
      'server/settings/setting-kinds.ts',
      'server/settings/settings.ts',
      'server/settings/auth-settings.ts',
      'server/settings/constants.ts',
      'server/settings/cache-settings.ts',
      'server/settings/documentation-settings.ts',
      'server/settings/error-settings.ts',
      'server/settings/http-cache-settings.ts',
      'server/settings/mail-settings.ts',
      'server/settings/index-settings.ts',
      'server/settings/metrics-settings.ts',
      'server/settings/upload-settings.ts',
      'server/settings/s3-settings.ts',
      'server/settings/provider-settings.ts',
      'server/settings/public-url.ts',
      'server/settings/secure-address.ts',
      'server/http/trust-proxy.ts',
    ],
    // Of `values`, the types that settings name.
    imports: ['errors', 'schema', 'values'],
    types: ['engine'],
    packages: [...values, 'node:net'],
  },
  {
    // What admins set, as features tell of it to whoever carries it over.
    name: 'configuration subject',
    files: ['server/configuration/subject.ts'],
    imports: ['nearest name', 'values'],
    types: ['server vocabulary'],
    packages: ['yup'],
  },
  {
    name: 'services',
    files: ['server/lifecycle/services.ts'],
    imports: ['server vocabulary'],
    types: ['errors', 'schema', 'engine'],
    packages: ['mongodb', 'pino'],
  },
  {
    // What a Strapi project's folder says, read and never run.
    name: 'project',
    files: ['server/project/'],
    imports: ['values'],
    packages: 'all',
  },
  {
    name: 'configuration',
    files: ['server/settings/'],
    imports: ['nearest name', 'values', 'server vocabulary', 'project'],
    packages: 'all',
    environment: true,
  },
  {
    name: 'server/http',
    files: ['server/http/'],
    imports: ['errors', 'values', 'server vocabulary', 'admission'],
    // Of `engine`, who asks for a read.
    types: ['schema', 'services', 'engine'],
    packages: 'all',
  },
  {
    // It hands its environment on to the engine's process.
    name: 'database host',
    files: ['server/database/'],
    imports: [
      ...['errors', 'database client', 'server vocabulary', 'installation', 'child processes'],
    ],
    packages: 'all',
    environment: true,
  },
  {
    // It puts the features together.
    name: 'composition root',
    files: ['server/main.ts', 'server/lifecycle/'],
    imports: 'all',
    packages: 'all',
  },
  {
    // It counts what others tell it of, and asks the rest by functions that it is given.
    name: 'metrics',
    files: ['server/metrics/'],
    imports: ['errors', 'server/http'],
    types: ['database'],
    packages: ['node:crypto', 'node:http', 'prom-client'],
  },
  {
    // What the API is, told of what is there: the registry, the operators of queries, the routes of all features.
    name: 'documentation',
    files: ['server/documentation/'],
    imports: ['errors', 'values', 'query vocabulary', 'schema', 'server vocabulary', 'server/http'],
    packages: ['node:crypto', 'node:fs/promises', 'node:util', 'node:zlib', 'lru-cache', 'yup'],
  },
  {
    // Archives of everything, for the service and the command line: it knows what each feature stores.
    name: 'backup',
    files: ['server/backup/'],
    imports: [
      ...['errors', 'values', 'nearest name', 'schema', 'database', 'durability', 'engine'],
      ...['server vocabulary', 'installation', 'server/http', 'database host', 'feature'],
      'child processes',
    ],
    types: ['services', 'admission'],
    packages: 'all',
  },
  {
    name: 'feature',
    files: ['server/:feature/'],
    imports: [
      'errors',
      'values',
      'link signatures',
      'database',
      'durability',
      'nearest name',
      'schema',
      'indexes',
      'sampling',
      'known queries',
      'password hashes',
      'collections of a plan',
      'index advice',
      'engine',
      'server vocabulary',
      'configuration subject',
      'installation',
      'child processes',
      'server/http',
      'project',
    ],
    // Of `admission`, what is asked for when a turn is.
    types: ['services', 'admission'],
    packages: 'all',
  },
  {
    // The command `quire`, over what it starts or works upon. The package has neither tests nor scripts.
    name: 'command line',
    files: ['cli/'],
    imports: 'all',
    except: ['tests', 'scripts'],
    packages: 'all',
    environment: true,
  },
  { name: 'tests', files: ['test/'], imports: 'all', packages: 'all', environment: true },
  { name: 'scripts', files: ['scripts/'], imports: 'all', packages: 'all', environment: true },
]
