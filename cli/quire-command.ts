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

  /** Runs a task, and ends with 1 if it returns false. */
  runs<A extends unknown[]>(task: (...given: A) => Promise<boolean | void>): this {
    return this.action(async (...given) => {
      if ((await task(...(given as A))) === false) process.exitCode = 1
    })
  }

  /** Runs the task of a module that is loaded only when the command runs. */
  loads<A extends unknown[]>(load: () => Promise<(...given: A) => Promise<boolean | void>>): this {
    return this.runs(async (...given: A) => (await load())(...given))
  }
}
