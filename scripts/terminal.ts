import { Command, InvalidArgumentError } from 'commander'
import { messageOf } from '../engine/errors/message-of.js'
import { clearProgress } from '../cli/progress.js'

/** Clears the progress line, and prints a line. */
export function print(text: string): void {
  clearProgress()
  console.log(text)
}

/** Clears the progress line, and prints an error's message. */
export function printError(error: unknown): void {
  clearProgress()
  console.error(messageOf(error))
}

/** Creates a command that parses options, and throws an error that lists all options if one is invalid. */
export function createCommand(name: string): Command {
  const command = new Command(`npm run ${name} --`)
  return command
    .helpOption(false)
    .configureOutput({ outputError: () => undefined })
    .exitOverride(({ message }) => {
      throw new Error(`${message}\n\n${command.helpInformation()}`)
    })
}

/** Returns a parser for numbers of at least `least`. */
export const number =
  (least: number, isWhole = false) =>
  (text: string): number => {
    const value = Number(text)
    if (value >= least && (!isWhole || Number.isInteger(value))) return value
    throw new InvalidArgumentError(`It must be a ${isWhole ? 'whole ' : ''}number from ${least}.`)
  }

/** Parses the options of this process. Exits with 2 if they are invalid. */
export function parseOrExit<T>(parse: (args: readonly string[]) => T): T {
  try {
    return parse(process.argv.slice(2))
  } catch (error) {
    printError(error)
    process.exit(2)
  }
}
