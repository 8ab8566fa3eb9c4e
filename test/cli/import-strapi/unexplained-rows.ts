import type { ImportReport } from '../../../cli/import-strapi/report.js'

/**
 * Returns a line for each content-type whose number of written entries does not follow from the numbers of read rows
 * and the reasons in the report.
 */
export const unexplainedRows = ({ rows }: Pick<ImportReport, 'rows'>): readonly string[] =>
  Object.entries(rows).flatMap(([uid, { read, written, because }]) => {
    const expected = because.reduce((sum, { entries }) => sum + entries, read)
    return written === expected ? [] : [`${uid}: ${written}, not ${expected}`]
  })
