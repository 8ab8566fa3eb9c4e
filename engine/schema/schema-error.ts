/** One thing that is wrong with a definition. */
export type SchemaProblem = Readonly<{
  /** Where the definition came from: a file of SCHEMA_DIR, or a name such as `_schemas/api::a.a`. */
  source: string
  /** Inside the definition: `attributes.author.target`; empty for the definition as a whole. */
  path: string
  message: string
}>

/**
 * Records what is wrong with the definition at hand. A call stops the start; `warn` tells of what a Strapi starts
 * with, and what becomes of it here.
 */
export type Report = Tell & Readonly<{ warn: Tell }>
type Tell = (path: string, message: string) => void

export function createReport(problem: Tell, warning: Tell): Report {
  return Object.assign((path: string, message: string) => problem(path, message), {
    warn: warning,
  })
}

/** Everything that is wrong with a set of definitions, told at once. It stops the start, and its text is for developers. */
export class SchemaError extends Error {
  readonly problems: readonly SchemaProblem[]

  /** @param effects lines of what else the definitions would do to stored content */
  constructor(problems: readonly SchemaProblem[], effects: readonly string[] = []) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    const lines = problems.map((problem) => `  ${lineOf(problem)}`)
    super(withEffects([`The schema has ${count}:`, ...lines].join('\n'), effects))
    this.name = 'SchemaError'
    this.problems = problems
  }
}

/** Why definitions are refused, and lines of what else they would do to stored content. */
export function withEffects(problem: string, effects: readonly string[]): string {
  if (effects.length === 0) return problem
  const lines = effects.map((line) => `  ${line}`)
  return [problem, 'What else would become of stored content:', ...lines].join('\n')
}

/** The same record, for paths below `prefix`. */
export function within(report: Report, prefix: string): Report {
  const below = (path: string): string => (path === '' ? prefix : `${prefix}.${path}`)
  return createReport(
    (path, message) => report(below(path), message),
    (path, message) => report.warn(below(path), message),
  )
}

/** A problem in one line: `<source>: <path>: <message>`. */
export function lineOf({ source, path, message }: SchemaProblem): string {
  return path === '' ? `${source}: ${message}` : `${source}: ${path}: ${message}`
}
