/** Which folder may import which. `npm run layers` checks it; ARCHITECTURE.md describes the folders. */

/**
 * From the bottom up: a file imports from its own floor and from lower ones, types included.
 * A file belongs to the first floor that matches its path from the project's root.
 */
const floors = {
  'engine values':
    'engine/(errors|values|patterns|monotonic-now|timeline|write-time|read/cost/cost-units)[/.]',
  'engine schema': 'engine/schema/',
  'engine database': 'engine/database/',
  'engine query and change':
    'engine/(read/(parse|resolve)/|write/(body/|change/|rules/(?!unique)))',
  'engine plan': 'engine/read/(plan|cost)/',
  'engine run': 'engine/read/(stored|compile|execute)/',
  'engine answer': 'engine/read/answer/',
  'engine steps': 'engine/(write/(load|rules|plan|execute)|repair)/',
  'engine doors': 'engine/',
  workers: 'workers/',
  'server settings': 'server/(settings|project|processes)/',
  'server vocabulary':
    'server/(accounts/(access-control|caller|lacking|security-log)|configuration/subject|content/documents|signals/signals)[.]|server/services[.]',
  'server http': 'server/http/',
  'server features': 'server/(?!lifecycle/|main)',
  'server lifecycle': 'server/',
  'command line': 'cli/',
  'client and tools': '(client|scripts|test)/',
}
const names = Object.keys(floors)
const upTo = (name) => names.slice(0, names.indexOf(name) + 1).map((floor) => `^${floors[floor]}`)

/** Packages that only some folders may use; tests and scripts may use all. */
const doors = {
  '@opentelemetry/api': 'server/tracing/',
  '@sentry/core': 'server/reporting/',
  commander: 'cli/',
  express: 'server/(http|lifecycle)/',
  mongodb:
    'server/services[.]|engine/([^/]+[.]ts|(database|explain|read/(stored|compile|execute|answer)|repair|values|write)/)|workers/|cli/|' +
    'server/(accounts|backup|configuration|content|content-types|database|indexes|lifecycle|locales|logging|purging|rate-limit|repair|signals|upload)/',
  piscina: 'workers/|engine/write/rules/hash',
  'prom-client': 'server/metrics/',
}

/** Stages that only compute. */
const pure =
  '^engine/(errors|values|patterns|schema|read/(parse|resolve|plan|cost|compile|answer)|write/(body|change|rules/(?!unique)|plan))/'

const rules = [
  { name: 'no cycles', from: {}, to: { circular: true } },
  // Import from the file that declares it.
  { name: 'no re-exports', from: {}, to: { dependencyTypes: ['export'] } },
  ...names.slice(0, -1).map((name, at) => ({
    name: `downwards from ${name}`,
    from: { path: `^${floors[name]}`, pathNot: upTo(names[at - 1]) },
    to: { path: '^(client|engine|workers|server|cli|scripts|test)/', pathNot: upTo(name) },
  })),
  // It runs in browsers.
  { name: 'client alone', from: { path: '^client/' }, to: { pathNot: '^client/' } },
  {
    name: 'no development packages in the product',
    from: { path: '^(client|engine|workers|server|cli)/' },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'], dependencyTypesNot: ['type-only'] },
  },
  {
    // Worker threads have no registry.
    name: 'no schema after the plan',
    from: { path: '^(engine/read/(stored|compile|execute|answer)|workers)/' },
    to: { path: '^engine/(schema|read/(parse|resolve))/' },
  },
  {
    name: 'pure stages without the database',
    from: { path: pure },
    to: {
      path: '^engine/(database|read/execute/(?!executor))',
    },
  },
  {
    name: 'input and output in engine/database alone',
    from: { path: '^engine/(?!database/)' },
    to: { dependencyTypes: ['core'], pathNot: '^(buffer|crypto|util)$' },
  },
  {
    name: 'features apart',
    from: { path: '^server/([^/]+)/', pathNot: '^server/(lifecycle|backup)/' },
    to: { path: '^server/', pathNot: ['^server/$1/', ...upTo('server http')] },
  },
  {
    name: 'features enter the engine by its doors',
    from: { path: '^server/(?!lifecycle/)' },
    to: {
      path: '^(engine/(read|write)/[^/]+/|workers/)',
      pathNot:
        '/(admission|budget|run-in-queue|in-time|known-queries|raw-query|group-words|collections-read|sample-collection|hash-password|hashes-in-wasm)[.]',
      dependencyTypesNot: ['type-only'],
    },
  },
  ...Object.entries(doors).map(([name, folders]) => ({
    name: `${name} behind its door`,
    from: { pathNot: `^(${folders}|scripts/|test/)` },
    // With its path if it is installed, else by its name.
    to: { path: `(^|node_modules/)${name}(/|$)` },
  })),
]

export default {
  forbidden: rules.map((rule) => ({ ...rule, severity: 'error' })),
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
  },
}
