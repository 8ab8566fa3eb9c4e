/**
 * What an argument means that may be secret: others see the arguments of a process, so that `env:NAME` stands for a
 * variable of the environment.
 * @throws Error where there is no such variable
 */
export function fromEnvironment(given: string): string {
  if (!given.startsWith('env:')) return given
  const name = given.slice('env:'.length)
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`There is no variable ${name}`)
  return value
}
