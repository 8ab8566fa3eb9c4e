import type { QuireCommand } from '../quire-command.js'

export function addMedia(program: QuireCommand): void {
  const media = program
    .command('media')
    .summary('moves files between providers, and finds missing and orphaned files')
    .description(
      'Works on the files of the media library, in the database of this project. It can run alongside services that use your own MongoDB. If the database is the embedded engine, or a MongoDB that Quire runs, stop the service first.',
    )
  media
    .command('move')
    .summary('moves all files to a provider')
    .description(
      'Moves all files, with their smaller versions, to a provider while services keep running. Set `upload.provider` first, so that new files go there. Exits with code 1 if a file could not be moved.',
    )
    .addOption(
      program
        .createOption('--to <provider>', 'target provider')
        .choices(['local', 'gridfs', 's3'])
        .makeOptionMandatory(),
    )
    .runs(async () => (await import('../media/move-media.js')).moveMedia)
    .addExamples({ 'media move --to s3': 'moves all files into the bucket of the settings' })
  media
    .command('check')
    .summary('lists missing and orphaned files')
    .description(
      'Lists records without a stored file, stored files without a record, references to missing files, and unfinished uploads, one per line. Exits with code 1 if it found problems and did not remove them.',
    )
    .option('--remove', 'removes what it lists', false)
    .runs(async () => (await import('../media/check-media.js')).checkMedia)
    .addExamples({
      'media check': 'lists problems',
      'media check --remove': 'removes them',
    })
  media
    .command('adopt')
    .summary('assigns the upload folder to this database')
    .description(
      'Assigns the upload folder to this database. Use it after a restore without the marker file of the folder.',
    )
    .runs(async () => (await import('../media/over-media.js')).adoptFolder)
}
