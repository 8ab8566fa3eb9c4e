/** The parts of Node's diagnostic report that are used here. */
export type ProcessReport = Readonly<{
  header?: Readonly<{ glibcVersionRuntime?: string }>
  userLimits?: Readonly<{ open_files?: Readonly<{ soft?: unknown }> }>
}>

let report: ProcessReport | undefined

/** Returns the report of this process. It is created once, because that takes more than 10 ms. */
export function processReport(): ProcessReport {
  // Otherwise the report would resolve the names of all network peers.
  Object.assign(process.report, { excludeNetwork: true })
  report ??= process.report.getReport() as ProcessReport
  return report
}
