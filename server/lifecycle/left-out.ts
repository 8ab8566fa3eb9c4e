import { findPackage } from '../settings/find-package.js'
import { thisSystem, type System } from '../database/system.js'

/** An installed package whose native binary npm has not installed, for example because of `--omit=optional`. */
export type LeftOut = Readonly<{
  name: keyof typeof consequences
  consequence: string
  /** Packages with versions to pass to `npm install`; empty if there is no binary for this machine. */
  missing: readonly string[]
}>

const consequences = {
  '@node-rs/argon2': 'Passwords are checked in WebAssembly, which is a few times slower.',
  sharp: 'Pictures cannot be uploaded.',
} as const

/** Returns the installed packages whose native binary for `system` is missing. */
export function findLeftOut(
  system: System = thisSystem(),
  from: string = import.meta.url,
): readonly LeftOut[] {
  return Object.entries(consequences).flatMap(([name, consequence]) => {
    const found = findPackage(name, from)
    if (found === undefined) return []
    const binaries = Object.entries(found.optionalDependencies)
    // npm installs only binaries for this machine, so any installed one is suitable.
    if (binaries.some(([binary]) => findPackage(binary, found.path) !== undefined)) return []
    const missing = binaries
      .filter(([binary]) => isFor(binary, system))
      .map(([binary, version]) => `${binary}@${version}`)
    return [{ name: name as LeftOut['name'], consequence, missing }]
  })
}

/**
 * Returns whether a package with a binary is for a system. Compares the end of its name: `@img/sharp-linuxmusl-x64`,
 * `@node-rs/argon2-linux-x64-gnu`.
 */
function isFor(binary: string, { platform, arch, glibc }: System): boolean {
  const endings =
    platform === 'linux'
      ? glibc === undefined
        ? [`-linuxmusl-${arch}`, `-linux-${arch}-musl`]
        : [`-linux-${arch}`, `-linux-${arch}-gnu`]
      : [`-${platform}-${arch}`, `-${platform}-${arch}-msvc`]
  return endings.some((ending) => binary.endsWith(ending))
}

/** Returns a sentence on how to install the missing binary. */
export const remedyOf = ({ missing }: Pick<LeftOut, 'missing'>): string =>
  missing.length === 0
    ? 'There is no binary of the package for this machine.'
    : `To fix this: npm install ${missing.join(' ')}`
