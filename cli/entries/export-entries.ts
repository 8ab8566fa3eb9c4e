import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createExport } from '../../server/tables/export-rows.js'
import { writeTable } from '../../server/tables/write-table.js'
import { openAdminFetch } from '../admin-client.js'
import { serviceOf } from '../admin-service.js'
import type { QuireCommand } from '../quire-command.js'
import { withServices } from '../with-services.js'
import { searchOf, type Table } from './table-search.js'

type ExportOptions = Table &
  Readonly<{ output?: string; by?: string; filters?: string; bom: boolean }>

/** Runs `quire entries export`. Without an output file it writes to standard output. */
export async function exportEntries(given: ExportOptions, command: QuireCommand): Promise<void> {
  const { type: name, output, by, bom, filters } = given
  const remote = await serviceOf(command, given)
  const search = searchOf(given, output, { by, bom: bom ? 'true' : undefined }, filters)
  const to = (pieces: Readable): Promise<void> =>
    output === undefined
      ? pipeline(pieces, process.stdout, { end: false })
      : pipeline(pieces, createWriteStream(output))
  if (remote !== undefined) {
    const send = await openAdminFetch(remote)
    const { body } = await send(`/admin/content/${encodeURIComponent(name)}/export?${search}`)
    if (body !== null) await to(Readable.from(body as AsyncIterable<Uint8Array>))
    return
  }
  await withServices(async ({ services }) => {
    const table = createExport(services, name, search)
    await to(Readable.from(writeTable(table.pages, table.columns, table.format, table)))
  })
}
