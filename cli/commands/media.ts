import { Option, type Command } from 'commander'
import { addExamples } from '../examples.js'

/** `quire media`. */
export function addMedia(program: Command): void {
  const media = program
    .command('media')
    .summary('moves files between providers, and finds what does not belong together')
    .description(
      'Works on the files of the media library, in the database that the service would use. It may run beside services over a MongoDB of your own; the embedded engine, and a MongoDB that Quire looks after, has to be stopped first.',
    )
  const move = media
    .command('move')
    .summary('moves the content of all files to a provider')
    .description(
      'Moves the content of all files, with their smaller versions, to a provider, beside services that are in use. Set `upload.provider` first, so that new files go there. Ends with 1 where a file could not be moved.',
    )
    .addOption(
      new Option('--to <provider>', 'where to')
        .choices(['local', 'gridfs', 's3'])
        .makeOptionMandatory(),
    )
    .action(async ({ to }: Readonly<{ to: string }>) => {
      const { moveMedia } = await import('../media/move-media.js')
      if (!(await moveMedia(to))) process.exitCode = 1
    })
  addExamples(move, { 'media move --to s3': 'all files into the bucket of the settings' })
  const check = media
    .command('check')
    .summary('lists what does not belong together')
    .description(
      'Lists, a line each, records without bytes, bytes without a record, references to files that are gone, and uploads that nobody finished. Ends with 1 where something was found that is still there.',
    )
    .option('--remove', 'removes it', false)
    .action(async ({ remove }: Readonly<{ remove: boolean }>) => {
      const { checkMedia } = await import('../media/check-media.js')
      if (!(await checkMedia(remove))) process.exitCode = 1
    })
  addExamples(check, {
    'media check': 'lists',
    'media check --remove': 'removes what it lists',
  })
  media
    .command('adopt')
    .summary('makes the folder of uploads the one of this database')
    .description(
      'Makes the folder of uploads the one that the files of the database are in, as after a restore that left its marker behind.',
    )
    .action(async () => {
      const { adoptFolder } = await import('../media/over-media.js')
      await adoptFolder()
    })
}
