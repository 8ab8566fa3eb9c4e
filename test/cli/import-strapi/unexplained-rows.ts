import type { ImportReport } from '../../../cli/import-strapi/report.js'

/**
 * Returns a line for each content-type whose numbers in a report do not add up: the written entries should be the read
 * rows plus the `entries` of all reasons.
 */
export const unexplainedRows = ({ rows }: Pick<ImportReport, 'rows'>): readonly string[] =>
  Object.entries(rows).flatMap(([uid, { read, written, because }]) => {
    const expected = because.reduce((sum, { entries }) => sum + entries, read)
    return written === expected ? [] : [`${uid}: ${written}, not ${expected}`]
  })
