import type { QuireCommand } from '../quire-command.js'

/** `quire types`. */
export function addTypes(program: QuireCommand): void {
  program
    .command('types')
    .summary('writes the types of content-types for TypeScript')
    .description(
      'Writes types of all content-types, for the client `quire-content/client` and for `@strapi/client`, from definitions or from a running service. With --check it writes nothing, and exits with code 1 if the file is not what would be written.',
    )
    .option('-o, --output <file>', 'where to; default: standard output')
    .option(
      '--schema <folder>',
      'of definitions or a Strapi project; default: SCHEMA_DIR, or `schema`',
    )
    .option('--url <address>', 'of the API of a running service, instead of definitions')
    .option('--token <token>', 'of kind full-access, for --url; default: QUIRE_TOKEN')
    .option('--client <module>', 'what the types import from; default: quire-content/client')
    .option('--check', 'compare the file, and write nothing', false)
    .runs(async () => (await import('../types/types.js')).types)
    .addExamples({
      'types -o quire.d.ts': 'from the definitions of this project',
      'types -o quire.d.ts --check': 'in CI: whether the file is up to date',
      'types -o quire.d.ts --url https://site.example/api': 'from a service, with QUIRE_TOKEN',
    })
}
