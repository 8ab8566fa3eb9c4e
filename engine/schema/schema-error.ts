/** One problem of a definition. */
export type SchemaProblem = Readonly<{
  /** Origin of the definition: a file of SCHEMA_DIR, or a name such as `_schemas/api::a.a`. */
  source: string
  /** Path in the definition: `attributes.author.target`. Empty for the definition as a whole. */
  path: string
  message: string
}>

/**
 * Reports a problem of a definition, which prevents the start. `warn` is for definitions that Strapi accepts; its
 * message says how Quire treats them.
 */
export type Report = ReportProblem & Readonly<{ warn: ReportProblem }>
type ReportProblem = (path: string, message: string) => void

export function createReport(problem: ReportProblem, warning: ReportProblem): Report {
  return Object.assign((path: string, message: string) => problem(path, message), {
    warn: warning,
  })
}

/** All problems of a set of definitions. This error prevents the start. Its message is for developers. */
export class SchemaError extends Error {
  readonly problems: readonly SchemaProblem[]

  /** @param effects lines with further effects of the definitions on stored content */
  constructor(problems: readonly SchemaProblem[], effects: readonly string[] = []) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    const lines = problems.map((problem) => `  ${lineOf(problem)}`)
    super(withEffects([`The schema has ${count}:`, ...lines].join('\n'), effects))
    this.name = 'SchemaError'
    this.problems = problems
  }
}

/** Joins the message about rejected definitions with lines about their other effects on stored content. */
export function withEffects(problem: string, effects: readonly string[]): string {
  if (effects.length === 0) return problem
  const lines = effects.map((line) => `  ${line}`)
  return [problem, 'Other effects on stored content:', ...lines].join('\n')
}

/** Returns the same report for paths below `prefix`. */
export function within(report: Report, prefix: string): Report {
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
