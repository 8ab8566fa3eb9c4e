import type { QuireCommand } from '../quire-command.js'

export function addTypes(program: QuireCommand): void {
  program
    .command('types')
    .summary('writes TypeScript types of the content-types')
    .description(
      'Writes TypeScript types of all content-types for the clients `quire-content/client` and `@strapi/client`, from definitions or from a running service. With --check, it writes nothing, and exits with code 1 if the file is out of date.',
    )
    .option('-o, --output <file>', 'output file; default: standard output')
    .option(
      '--schema <folder>',
      'folder of definitions or of a Strapi project; default: SCHEMA_DIR, or `schema`',
    )
    .option('--url <address>', 'address of the API of a running service, instead of definitions')
    .option('--token <token>', 'API token with full access, for --url; default: QUIRE_TOKEN')
    .option('--client <module>', 'module that the types import from; default: quire-content/client')
    .option('--check', 'compares the file, and writes nothing', false)
    .runs(async () => (await import('../types/types.js')).types)
    .addExamples({
      'types -o quire.d.ts': 'from the definitions of this project',
      'types -o quire.d.ts --check': 'in CI, to check that the file is up to date',
      'types -o quire.d.ts --url https://site.example/api': 'from a service, with QUIRE_TOKEN',
    })
}
