/**
 * Which part of the code may import which (ARCHITECTURE.md shows it as a drawing). A file belongs
 * to the first layer whose `files` match it; its own layer it may always import.
 */
export type Layer = Readonly<{
  name: string
  /** Paths from the project's root: a file, a folder (`engine/parse/`), or any folder of one (`server/:feature/`), each a layer of its own. */
  files: readonly string[]
  /** Layers it may import; `all` = every one. */
  imports: readonly string[] | 'all'
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
  piscina: ['workers', 'tests', 'scripts'],
}

/** What only computes. */
const values = ['node:buffer', 'node:crypto', 'node:util']

/** For the types and values of BSON (`Document`, `Long`, `Decimal128`): a client or a collection is for `execute` alone. */
const bson = 'mongodb'

export const layerTable: readonly Layer[] = [
  {
    name: 'errors',
    files: [
      'engine/errors.ts',
      'engine/exceeded.ts',
      'engine/database-errors.ts',
      'engine/write-time.ts',
    ],
    imports: [],
    packages: [],
  },
  {
    // The service and its worker threads have one each.
    name: 'database client',
    files: ['engine/database-client.ts', 'engine/driver-connection.ts'],
    imports: [],
    packages: ['mongodb', 'node:module', 'node:net'],
  },
  // What every writer to MongoDB needs, whatever it writes.
  { name: 'database', files: ['engine/database/'], imports: ['errors'], packages: ['mongodb'] },
  // What a value may be, what is asked of it and how two compare: the same from a definition to an answer.
  { name: 'values', files: ['engine/values/'], imports: [], packages: [bson] },
  {
    name: 'nearest name',
    files: ['engine/nearest-name.ts'],
    imports: [],
    packages: ['fastest-levenshtein'],
  },
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
  // What a query may say: the operators' names among it.
  { name: 'query vocabulary', files: ['engine/parse/raw-query.ts'], imports: [], packages: [] },
  {
    name: 'parse',
    files: ['engine/parse/'],
    imports: ['query vocabulary', 'errors', 'nearest name'],
    packages: ['qs'],
  },
  {
    name: 'resolve',
    files: ['engine/resolve/'],
    imports: ['query vocabulary', 'schema', 'values', 'errors', 'nearest name'],
    types: ['parse'],
    packages: [...values, 'yup'],
  },
  {
    name: 'change',
    files: ['engine/change/'],
    imports: ['schema', 'values', 'errors', 'nearest name'],
    types: ['parse', 'patterns'],
    packages: [...values, 'yup', bson],
  },
  {
    // How what a plan names is stored; with types, all that the stages after it see of plan/.
    name: 'plan vocabulary',
    files: [
      'engine/plan/read-plan.ts',
      'engine/plan/bound-condition.ts',
      'engine/plan/bound-sort.ts',
    ],
    imports: [],
    types: ['values'],
    packages: [],
  },
  {
    // Documents as the bytes that the database sent.
    name: 'stored',
    files: ['engine/stored/'],
    imports: [],
    types: ['plan vocabulary', 'values'],
    packages: ['node:buffer', bson],
  },
  {
    name: 'plan',
    files: ['engine/plan/'],
    imports: ['plan vocabulary', 'schema', 'errors'],
    types: ['resolve', 'change', 'values', 'stored'],
    packages: values,
  },
  {
    name: 'compile',
    files: ['engine/compile/'],
    imports: ['plan vocabulary', 'values', 'errors'],
    types: ['plan'],
    packages: [...values, 'escape-string-regexp', bson],
  },
  {
    name: 'shape',
    files: ['engine/shape/'],
    imports: ['plan vocabulary', 'stored', 'values', 'errors'],
    types: ['plan'],
    packages: [...values, 'escape-string-regexp', bson],
  },
  {
    name: 'indexes',
    files: ['engine/execute/ensure-indexes.ts'],
    imports: ['errors', 'database'],
    types: ['schema'],
    packages: [...values, 'mongodb'],
  },
  {
    // It compiles as it goes: the command for a populated relation needs the keys that its parents hold.
    name: 'execute',
    files: ['engine/execute/'],
    imports: [
      'database',
      'database client',
      'values',
      'compile',
      'plan vocabulary',
      'stored',
      'errors',
    ],
    types: ['plan'],
    packages: [...values, 'mongodb', 'dataloader'],
  },
  {
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
      'change',
      'plan',
      'plan vocabulary',
      'stored',
      'compile',
      'shape',
      'execute',
      'indexes',
    ],
    packages: [...values, 'mongodb', '@node-rs/argon2', '@paralleldrive/cuid2', 'lru-cache'],
  },
  {
    // Whose turn it is, and how much time is left: the same for reads and for requests.
    name: 'admission',
    files: [
      'workers/admission.ts',
      'workers/budget.ts',
      'workers/in-line.ts',
      'workers/service-times.ts',
      'workers/waiting-room.ts',
    ],
    imports: ['errors'],
    packages: [],
  },
  {
    name: 'workers',
    files: ['workers/'],
    imports: [
      'errors',
      'admission',
      'patterns',
      'database client',
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
    // What features may know of each other.
    name: 'server vocabulary',
    files: [
      'server/auth/access-control.ts',
      'server/auth/caller.ts',
      'server/content/documents.ts',
      'server/setting-kinds.ts',
      'server/settings.ts',
      'server/http/trust-proxy.ts',
    ],
    imports: ['errors', 'schema'],
    types: ['engine'],
    packages: [...values, 'node:net'],
  },
  {
    // What a password or a username may be, whoever takes it from a body.
    name: 'account rules',
    files: ['server/auth/password-rule.ts', 'server/auth/username-rule.ts'],
    imports: [],
    packages: ['yup'],
  },
  {
    name: 'services',
    files: ['server/services.ts'],
    imports: ['server vocabulary'],
    types: ['errors', 'schema', 'engine'],
    packages: ['mongodb', 'pino'],
  },
  {
    name: 'configuration',
    files: ['server/config.ts', 'server/read-setting.ts', 'server/read-settings.ts'],
    imports: ['nearest name', 'server vocabulary'],
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
    imports: ['errors', 'database client', 'server vocabulary'],
    packages: 'all',
    environment: true,
  },
  {
    name: 'feature',
    files: ['server/:feature/'],
    imports: [
      'errors',
      'database',
      'nearest name',
      'schema',
      'indexes',
      'engine',
      'server vocabulary',
      'account rules',
      'server/http',
    ],
    // Of `admission`, what is asked for when a turn is.
    types: ['services', 'admission'],
    packages: 'all',
  },
  {
    // What else is directly in server/: it puts the features together.
    name: 'composition root',
    files: ['server/'],
    imports: 'all',
    packages: 'all',
  },
  { name: 'tests', files: ['test/'], imports: 'all', packages: 'all', environment: true },
  { name: 'scripts', files: ['scripts/'], imports: 'all', packages: 'all', environment: true },
]
