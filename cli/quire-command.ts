import { Command, type ErrorOptions, type HelpContext } from 'commander'
import { nearestName } from '../engine/errors/nearest-name.js'

/** A command with the common features of Quire's commands. */
export class QuireCommand extends Command {
  override createCommand(name?: string): QuireCommand {
    return new QuireCommand(name)
  }

  /** Treats an excess argument of a command with subcommands as an unknown subcommand. */
  override error(message: string, options?: ErrorOptions): never {
    const [name] = this.args
    const isName = options?.code === 'commander.excessArguments' && this.commands.length > 0
    return isName && name !== undefined ? this.refuseName(name) : super.error(message, options)
  }

  /**
   * Shows the help for arguments such as `help config pull`. Commander alone would only read the first name after
   * `help`.
   */
  override help(context?: unknown): never {
    const { parent } = this
    const [, name] = parent?.args[0] === 'help' ? parent.args.slice(1) : this.args
    if (name === undefined) return super.help(context as HelpContext)
    if (name === 'help') return super.help()
    const subcommand = this.commands.find((command) => command.name() === name)
    return subcommand === undefined ? this.refuseName(name) : subcommand.help()
  }

  /** Ends with an error for an unknown command, and suggests a similar one. */
  refuseName(name: string): never {
    const near = nearestName(
      name,
      this.commands.map((command) => command.name()),
    )
    const meant = near === undefined ? '' : `\n(Did you mean ${near}?)`
    return super.error(`error: unknown command '${name}'${meant}`)
  }

  /** Shows examples below the help. `examples` maps the arguments after `quire` to what they do. */
  addExamples(examples: Readonly<Record<string, string>>): this {
    const width = Math.max(...Object.keys(examples).map((line) => line.length))
    const shown = Object.entries(examples).map(
      ([line, meaning]) => `  $ quire ${line.padEnd(width)}  ${meaning}`,
    )
    return this.addHelpText('after', ['', 'Examples:', ...shown].join('\n'))
  }

  /**
   * Sets the command's action: runs a task, and sets exit code 1 if it returns false. `load` imports the task only when
   * the command runs, so that `--help` does not import it.
   */
  runs<A extends unknown[]>(load: () => Promise<(...given: A) => Promise<boolean | void>>): this {
    return this.action(async (...given) => {
      const task = await load()
      if ((await task(...(given as A))) === false) process.exitCode = 1
    })
  }
}
