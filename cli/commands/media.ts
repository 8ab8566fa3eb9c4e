import type { QuireCommand } from '../quire-command.js'

/** `quire media`. */
export function addMedia(program: QuireCommand): void {
  const media = program
    .command('media')
    .summary('moves files between providers, and finds what does not belong together')
    .description(
      'Works on the files of the media library, in the database that the service would use. It may run beside services over a MongoDB of your own; the embedded engine, and a MongoDB that Quire looks after, has to be stopped first.',
    )
  media
    .command('move')
    .summary('moves the content of all files to a provider')
    .description(
      'Moves the content of all files, with their smaller versions, to a provider, beside services that are in use. Set `upload.provider` first, so that new files go there. Exits with code 1 if a file could not be moved.',
    )
    .addOption(
      program
        .createOption('--to <provider>', 'where to')
        .choices(['local', 'gridfs', 's3'])
        .makeOptionMandatory(),
    )
    .runs(async () => (await import('../media/move-media.js')).moveMedia)
    .addExamples({ 'media move --to s3': 'all files into the bucket of the settings' })
  media
    .command('check')
    .summary('lists what does not belong together')
    .description(
      'Lists, a line each, records without bytes, bytes without a record, references to files that are gone, and uploads that nobody finished. Exits with code 1 if something was found that is still there.',
    )
    .option('--remove', 'removes it', false)
    .runs(async () => (await import('../media/check-media.js')).checkMedia)
    .addExamples({
      'media check': 'lists',
      'media check --remove': 'removes what it lists',
    })
  media
    .command('adopt')
    .summary('makes the folder of uploads the one of this database')
    .description(
      'Makes the folder of uploads the one that the files of the database are in, as after a restore that left its marker behind.',
    )
    .runs(async () => (await import('../media/over-media.js')).adoptFolder)
}
