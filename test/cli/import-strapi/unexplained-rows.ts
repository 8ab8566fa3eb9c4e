import type { ImportReport } from '../../../cli/import-strapi/report.js'

/** Returns the types of a report whose number of entries does not follow from its rows and reasons. */
export const unexplainedRows = ({ rows }: Pick<ImportReport, 'rows'>): readonly string[] =>
  Object.entries(rows).flatMap(([uid, { read, written, because }]) => {
    const expected = because.reduce((sum, { entries }) => sum + entries, read)
    return written === expected ? [] : [`${uid}: ${written}, not ${expected}`]
  })
