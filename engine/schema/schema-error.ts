/** A problem in a definition. */
export type SchemaProblem = Readonly<{
  /** A file in SCHEMA_DIR, or a name such as `_schemas/api::a.a`. */
  source: string
  /** Such as `attributes.author.target`; empty for the whole definition. */
  path: string
  message: string
}>

/** Reports a problem that prevents startup. `warn` is for what Strapi accepts but Quire treats differently. */
export type Report = ReportProblem & Readonly<{ warn: ReportProblem }>
type ReportProblem = (path: string, message: string) => void

export function createReport(problem: ReportProblem, warning: ReportProblem): Report {
  return Object.assign((path: string, message: string) => problem(path, message), {
    warn: warning,
  })
}

/** Ignores problems, for definitions that were already checked. */
export const silentReport = createReport(
  () => undefined,
  () => undefined,
)

/** Thrown if definitions prevent startup. The message lists all problems, for developers. */
export class SchemaError extends Error {
  readonly problems: readonly SchemaProblem[]

  /** @param effects what else the definitions would do to stored content, one line each */
  constructor(problems: readonly SchemaProblem[], effects: readonly string[] = []) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    const lines = problems.map((problem) => `  ${lineOf(problem)}`)
    super(withEffects([`The schema has ${count}:`, ...lines].join('\n'), effects))
    this.name = 'SchemaError'
    this.problems = problems
  }
}

/** Appends to a problem what the definitions would do to stored content, one line each. */
export function withEffects(problem: string, effects: readonly string[]): string {
  if (effects.length === 0) return problem
  const lines = effects.map((line) => `  ${line}`)
  return [problem, 'Other effects on stored content:', ...lines].join('\n')
}

/** Adds a prefix to the path of each reported problem. */
export function reportBelow(report: Report, prefix: string): Report {
  const below = (path: string): string => (path === '' ? prefix : `${prefix}.${path}`)
  return createReport(
    (path, message) => report(below(path), message),
    (path, message) => report.warn(below(path), message),
  )
}

/** Formats a problem: `<source>: <path>: <message>`. */
export function lineOf({ source, path, message }: SchemaProblem): string {
  return path === '' ? `${source}: ${message}` : `${source}: ${path}: ${message}`
}
