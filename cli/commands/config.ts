import type { QuireCommand } from '../quire-command.js'
import { withService } from '../admin-service.js'

export function addConfig(program: QuireCommand): void {
  const config = program
    .command('config')
    .summary('manages locales, roles and API tokens as files')
    .description(
      'Manages locales, roles with their permissions, and API tokens without secrets as files, so that you can review them with your code (docs/configuration-files.md). It works through a running service (--url), or on the database of this project. If a service uses the embedded engine, or a MongoDB that Quire runs, the command sends its requests to that service. It can run alongside services that use your own MongoDB.',
    )
  part(config, 'pull')
    .summary('writes the current configuration into files')
    .description(
      'Writes locales, roles and API tokens into `locales.json`, `roles.json` and `api-tokens.json`. It changes nothing else.',
    )
    .addExamples({
      'config pull': 'from the database of this project, into config/',
      'config pull --url https://site.example': 'from a service, as the admin of QUIRE_ADMIN_TOKEN',
    })
  part(config, 'diff')
    .summary('shows what the files would change')
    .description(
      'Shows what the files would change, and changes nothing. Exits with code 1 if they would change something, or if they are invalid. Locales, roles and tokens that are in no file count only with --prune.',
    )
    .option(
      '--prune',
      'counts items that their file does not contain as removed; a missing file removes nothing',
      false,
    )
    .addExamples({ 'config diff --prune': 'in CI, to find changes made by hand' })
  part(config, 'push')
    .summary('applies the files')
    .description(
      'Shows what the files would change, asks for confirmation, and applies them. It checks everything before the first change. If a push is interrupted, run it again. If it works on the database, it applies the definitions in SCHEMA_DIR first, as a start does. Exits with code 1 if you decline.',
    )
    .option(
      '--prune',
      'removes items that their file does not contain; a missing file removes nothing',
      false,
    )
    .option('--yes', 'asks for no confirmation', false)
    .addExamples({
      'config push': 'shows the difference, and asks for confirmation',
      'config push --yes --url https://site.example': 'as a step of a deployment',
    })
}

const part = (config: QuireCommand, name: 'pull' | 'diff' | 'push'): QuireCommand =>
  withService(
    config
      .command(name)
      .option('--dir <folder>', 'folder of the files; default: CONFIG_DIR, or `config`'),
  )
    .option('--json', 'prints the result as JSON', false)
    .runs(async () => (await import('../config/config.js')).configCommands[name])
