import { removeMissingTargets } from '../../engine/repair.js'
import { builtIn } from '../../engine/schema/registry.js'
import { checkBytes } from '../../server/upload/maintenance/check-bytes.js'
import { checkRecords } from '../../server/upload/maintenance/check-records.js'
import { ownCommand } from '../../server/settings/own-command.js'
import { overMedia } from './over-media.js'

/** After this time without writes, an unfinished upload counts as abandoned. */
const abandonedMs = 60 * 60_000

/** Prints, and on request removes, inconsistencies of the media library. Returns whether it is consistent now. */
export const checkMedia = ({ remove: removes }: Readonly<{ remove: boolean }>): Promise<boolean> =>
  overMedia(async (media) => {
    const { db, registry, providers } = media
    let found = 0
    let left = 0
    const report = (what: string, isRepaired = removes): void => {
      found += 1
      if (!isRepaired) left += 1
      console.log(isRepaired ? `${what}: removed` : what)
    }
    await checkRecords({
      ...media,
      removes,
      found: ({ kind, name, documentId, provider, elsewhere = '' }) => {
        const of = `${name}, of the file ${documentId}`
        if (kind === 'unknown-provider')
          report(`provider "${provider}" is not configured: ${of}`, false)
        else if (kind === 'bytes-elsewhere')
          report(`stored in ${elsewhere} instead of ${provider}: ${of}`, false)
        else if (kind === 'version-without-bytes')
          report(`smaller version without a stored file: ${of}`)
        else report(`record without a stored file: ${of}`)
      },
    })
    await checkBytes({
      ...media,
      removes,
      found: ({ name, provider, size, isRemoved }) =>
        report(`stored file without a record: ${name} in ${provider} (${size} bytes)`, isRemoved),
    })
    await removeMissingTargets(
      {
        db,
        registry,
        repairs: removes,
        found: ({ collection, documentId }) =>
          report(`reference to a missing file: ${collection} refers to the file ${documentId}`),
      },
      builtIn.file,
    )
    for (const { name, removeUnfinished } of providers.all) {
      const count = await removeUnfinished(abandonedMs, removes)
      if (count > 0) report(`unfinished uploads in ${name}: ${count}`)
    }
    const end = removes
      ? `${found - left} were removed.`
      : `To remove them: ${ownCommand('media check --remove')}`
    console.log(found === 0 ? 'The media library is in order.' : `${found} were found. ${end}`)
    return left === 0
  })
