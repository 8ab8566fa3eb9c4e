import { Command } from 'commander'

/** A command, with what all commands of Quire have. */
export class QuireCommand extends Command {
  override createCommand(name?: string): QuireCommand {
    return new QuireCommand(name)
  }

  /** Shows examples below the help: the arguments after `quire`, and what each does. */
  addExamples(examples: Readonly<Record<string, string>>): this {
    const width = Math.max(...Object.keys(examples).map((line) => line.length))
    const shown = Object.entries(examples).map(
      ([line, meaning]) => `  $ quire ${line.padEnd(width)}  ${meaning}`,
    )
    return this.addHelpText('after', ['', 'Examples:', ...shown].join('\n'))
  }

  /**
   * Runs a task, and exits with code 1 if it returns false.
   * @param load imports the task when the command runs, so that `--help` does not load it
   */
  runs<A extends unknown[]>(load: () => Promise<(...given: A) => Promise<boolean | void>>): this {
    return this.action(async (...given) => {
      const task = await load()
      if ((await task(...(given as A))) === false) process.exitCode = 1
    })
  }
}
