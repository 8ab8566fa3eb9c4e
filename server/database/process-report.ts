/** Parts of Node's diagnostic report that are used here. */
export type ProcessReport = Readonly<{
  header?: Readonly<{ glibcVersionRuntime?: string }>
  userLimits?: Readonly<{ open_files?: Readonly<{ soft?: unknown }> }>
}>

let report: ProcessReport | undefined

/** Returns Node's diagnostic report. Creating it takes more than 10 ms, so it is created once. */
export function processReport(): ProcessReport {
  // Without this, creating the report would resolve the host names of all network peers.
  Object.assign(process.report, { excludeNetwork: true })
  report ??= process.report.getReport() as ProcessReport
  return report
}
