import type { QuireCommand } from '../quire-command.js'

export function addSeed(program: QuireCommand): void {
  program
    .command('seed')
    .summary('loads the demo magazine into a running service')
    .description(
      "Loads the demo magazine (`schema/demo` of the package) into a running service that has the demo's content-types. It skips entries that exist.",
    )
    .addOption(
      program
        .createOption('--base <url>', 'address of the service; default: this machine, on PORT')
        .env('BASE_URL'),
    )
    .addOption(
      program.createOption('--email <address>', 'e-mail address of an admin').env('ADMIN_EMAIL'),
    )
    .addOption(
      program.createOption('--password <password>', 'password of that admin').env('ADMIN_PASSWORD'),
    )
    .option('--json', 'prints how many of each were created, as JSON', false)
    .runs(async () => (await import('../seed/seed.js')).seed)
    .addExamples({
      seed: 'with the address and the admin of the environment',
      'seed --base https://cms.example.com --email ada@example.com':
        'with the password in ADMIN_PASSWORD',
    })
}
