import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createExport } from '../../server/tables/export-rows.js'
import { writeTable } from '../../server/tables/write-table.js'
import { openAdminFetch, type Remote } from '../admin-client.js'
import { withServices } from '../with-services.js'

export type ExportOptions = Readonly<{
  type: string
  /** As the query string of `/admin/content/:uid/export`. */
  search: string
  /** Default: standard output. */
  output?: string | undefined
  /** Default: the database that the service would use. */
  remote?: Remote | undefined
}>

/** What `quire entries export` does. */
export async function exportEntries({
  type: name,
  search,
  output,
  remote,
}: ExportOptions): Promise<void> {
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
    const asked = createExport(services, name, search)
    await to(Readable.from(writeTable(asked.pages, asked.columns, asked.format, asked)))
  })
}
