import { readFile } from 'node:fs/promises'

export type StartCommand = Readonly<{
  environment: Readonly<Record<string, string>>
  nodeOptions: readonly string[]
}>

const root = new URL('../../../../', import.meta.url)

/**
 * Parses the start command in a script of package.json, such as `… && exec env A=b node --an-option
 * dist/server/main.js`.
 */
export async function startCommand(script: string): Promise<StartCommand> {
  const { scripts } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
    scripts: Record<string, string>
  }
  const command = /((?:\w+=\S+ )*)node ((?:-\S+ )*)dist\/server\/main\.js$/.exec(
    scripts[script] ?? '',
  )
  if (command === null)
    throw new Error(`package.json has no script ${script} that runs the service`)
  const [, variables = '', options = ''] = command
  return {
    environment: Object.fromEntries(
      words(variables).map((pair) => {
        const [name = '', value = ''] = pair.split('=')
        // The path becomes absolute, because the service runs in another folder.
        return [name, name === 'QUIRE_CONFIG' ? new URL(value, root).pathname : value]
      }),
    ),
    nodeOptions: words(options),
  }
}

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')
