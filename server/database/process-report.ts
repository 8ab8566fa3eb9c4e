/** The parts of Node's diagnostic report that are used here. */
export type ProcessReport = Readonly<{
  header?: Readonly<{ glibcVersionRuntime?: string }>
  userLimits?: Readonly<{ open_files?: Readonly<{ soft?: unknown }> }>
}>

let report: ProcessReport | undefined

/**
 * Returns Node's diagnostic report of this process. It is created only once, because creation takes more than 10 ms.
 */
export function processReport(): ProcessReport {
  // Without this option, creating the report would resolve the host names of all network peers.
  Object.assign(process.report, { excludeNetwork: true })
  report ??= process.report.getReport() as ProcessReport
  return report
}
