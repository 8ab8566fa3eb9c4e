import type { QuireCommand } from '../quire-command.js'

type Given = Readonly<{
  output?: string
  schema?: string
  url?: string
  token?: string
  client?: string
  check: boolean
}>

/** `quire types`. */
export function addTypes(program: QuireCommand): void {
  program
    .command('types')
    .summary('writes the types of content-types for TypeScript')
    .description(
      'Writes types of all content-types, for the client `quire-content/client` and for `@strapi/client`, from definitions or from a running service. With --check it writes nothing, and ends with 1 where the file is not what would be written.',
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
    .runs(async (given: Given) => {
      const { schema, url, check, output } = given
      if (check && output === undefined) program.error('error: --check needs -o')
      if (schema !== undefined && url !== undefined)
        program.error('error: types come from --schema or from --url, not from both')
      if (url !== undefined && !URL.canParse(url)) program.error(`error: ${url} is no address`)
      const token = given.token ?? (process.env.QUIRE_TOKEN || undefined)
      if (url !== undefined && token === undefined)
        program.error('error: --url needs --token, or QUIRE_TOKEN')
      const { isModuleName } = await import('../../server/typescript/routes.js')
      if (given.client !== undefined && !isModuleName(given.client))
        program.error(`error: ${given.client} is no name of a module`)
      const { types } = await import('../types/types.js')
      const from =
        url === undefined || token === undefined
          ? { folder: schema ?? (process.env.SCHEMA_DIR || 'schema') }
          : { url, token }
      const { client } = given
      return types({ from, output, client, check })
    })
    .addExamples({
      'types -o quire.d.ts': 'from the definitions of this project',
      'types -o quire.d.ts --check': 'in CI: whether the file is up to date',
      'types -o quire.d.ts --url https://site.example/api': 'from a service, with QUIRE_TOKEN',
    })
}
