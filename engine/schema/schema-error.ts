/** A problem in a definition. */
export type SchemaProblem = Readonly<{
  /** Where the definition comes from: a file in SCHEMA_DIR, or a name such as `_schemas/api::a.a`. */
  source: string
  /** Path in the definition: `attributes.author.target`. Empty if the problem concerns the whole definition. */
  path: string
  message: string
}>

/**
 * Reports a problem that prevents startup, with its path in the definition. `warn` reports something that Strapi
 * accepts but Quire treats differently; its message says how.
 */
export type Report = ReportProblem & Readonly<{ warn: ReportProblem }>
type ReportProblem = (path: string, message: string) => void

export function createReport(problem: ReportProblem, warning: ReportProblem): Report {
  return Object.assign((path: string, message: string) => problem(path, message), {
    warn: warning,
  })
}

/** Thrown if definitions have problems that prevent startup. The message lists all of them, for developers. */
export class SchemaError extends Error {
  readonly problems: readonly SchemaProblem[]

  /** @param effects descriptions of what else the definitions would do to stored content, one line each */
  constructor(problems: readonly SchemaProblem[], effects: readonly string[] = []) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    const lines = problems.map((problem) => `  ${lineOf(problem)}`)
    super(withEffects([`The schema has ${count}:`, ...lines].join('\n'), effects))
    this.name = 'SchemaError'
    this.problems = problems
  }
}

/**
 * Appends to the message about rejected definitions what these definitions would do to stored content.
 * @param effects descriptions, one line each
 */
export function withEffects(problem: string, effects: readonly string[]): string {
  if (effects.length === 0) return problem
  const lines = effects.map((line) => `  ${line}`)
  return [problem, 'Other effects on stored content:', ...lines].join('\n')
}

/**
 * Returns a function that reports problems in a part of a definition. `prefix` is added to the path of each problem.
 */
export function reportBelow(report: Report, prefix: string): Report {
  const below = (path: string): string => (path === '' ? prefix : `${prefix}.${path}`)
  return createReport(
    (path, message) => report(below(path), message),
    (path, message) => report.warn(below(path), message),
  )
}

/** Formats a problem as one line: `<source>: <path>: <message>`. */
export function lineOf({ source, path, message }: SchemaProblem): string {
  return path === '' ? `${source}: ${message}` : `${source}: ${path}: ${message}`
}
