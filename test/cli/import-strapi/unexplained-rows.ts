import type { ImportReport } from '../../../cli/import-strapi/report.js'

/** The types of a report whose entries are not as many as its rows and its reasons say. */
export const unexplainedRows = ({ rows }: ImportReport): readonly string[] =>
  Object.entries(rows).flatMap(([uid, { read, written, because }]) => {
    const expected = because.reduce((sum, { entries }) => sum + entries, read)
    return written === expected ? [] : [`${uid}: ${written}, not ${expected}`]
  })
