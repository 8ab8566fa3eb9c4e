import { Command } from 'commander'

/** A command, with what all commands of Quire have. */
export class QuireCommand extends Command {
  override createCommand(name?: string): QuireCommand {
    return new QuireCommand(name)
  }

  /** Shows lines below the help, as one types them after `quire`, each with what it does. */
  addExamples(examples: Readonly<Record<string, string>>): this {
    const width = Math.max(...Object.keys(examples).map((line) => line.length))
    const shown = Object.entries(examples).map(
      ([line, meaning]) => `  $ quire ${line.padEnd(width)}  ${meaning}`,
    )
    return this.addHelpText('after', ['', 'Examples:', ...shown].join('\n'))
  }

  /**
   * Runs a task, and ends with 1 if it returns false.
   * @param load loads its module, which no other command needs
   */
  runs<A extends unknown[]>(load: () => Promise<(...given: A) => Promise<boolean | void>>): this {
    return this.action(async (...given) => {
      const task = await load()
      if ((await task(...(given as A))) === false) process.exitCode = 1
    })
  }
}
