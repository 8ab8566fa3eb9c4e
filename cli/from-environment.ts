/**
 * Returns the value of an argument: for `env:NAME`, that of the environment variable `NAME`. Secrets can be passed in
 * this way, because other users can see the arguments of a process. Throws if the variable is not set.
 */
export function fromEnvironment(given: string): string {
  if (!given.startsWith('env:')) return given
  const name = given.slice('env:'.length)
  const value = process.env[name]
  if (value === undefined || value === '')
    throw new Error(`The environment variable ${name} is not set`)
  return value
}
