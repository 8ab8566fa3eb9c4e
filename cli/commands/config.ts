import type { QuireCommand } from '../quire-command.js'
import { withService } from '../admin-service.js'

/** `quire config`. */
export function addConfig(program: QuireCommand): void {
  const config = program
    .command('config')
    .summary('keeps locales, roles and API tokens in files')
    .description(
      'Keeps what admins set in files that are reviewed with the code: locales, roles with their permissions, and API tokens without secrets (docs/configuration-files.md). It works through a running service (--url), or on the database that the service would use: beside services over a MongoDB of your own; the embedded engine, and a MongoDB that Quire looks after, belong to one process at a time: if a service runs on one, the command asks that service.',
    )
  part(config, 'pull')
    .summary('writes what is set into files')
    .description(
      'Writes locales, roles and API tokens into `locales.json`, `roles.json` and `api-tokens.json`. Nothing else is changed.',
    )
    .addExamples({
      'config pull': 'of the database of this project, into config/',
      'config pull --url https://site.example': 'of a service, as the admin of QUIRE_ADMIN_TOKEN',
    })
  part(config, 'diff')
    .summary('shows what the files would change')
    .description(
      'Shows what the files would change, and changes nothing. Exits with code 1 if they would change something, or if something is wrong with them. What is in no file counts with --prune only.',
    )
    .option('--prune', 'counts what is in no file as removed', false)
    .addExamples({ 'config diff --prune': 'in CI: whether somebody changed something by hand' })
  part(config, 'push')
    .summary('makes what is set what the files say')
    .description(
      'Shows what the files would change, asks, and changes it; everything is checked before the first change. A push that was cut off is repeated. On the database it does first what a start does: definitions in SCHEMA_DIR are adopted. Exits with code 1 if it was not wanted.',
    )
    .option('--prune', 'removes what is in no file', false)
    .option('--yes', 'does not ask', false)
    .addExamples({
      'config push': 'shows the difference, and asks',
      'config push --yes --url https://site.example': 'as a step of a deployment',
    })
}

const part = (config: QuireCommand, name: 'pull' | 'diff' | 'push'): QuireCommand =>
  withService(
    config.command(name).option('--dir <folder>', 'of the files; default: CONFIG_DIR, or `config`'),
  )
    .option('--json', 'what was found, as JSON', false)
    .runs(async () => (await import('../config/config.js')).configCommands[name])
