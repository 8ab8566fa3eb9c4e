import { findPackage } from '../settings/find-package.js'
import { thisSystem, type System } from '../database/system.js'

/** A package whose binary for this machine npm left out, as it does with `--omit=optional`. */
export type LeftOut = Readonly<{
  name: keyof typeof consequences
  /** What follows, as a sentence. */
  consequence: string
  /** What to hand to `npm install`. Empty where there is none for this machine. */
  missing: readonly string[]
}>

const consequences = {
  '@node-rs/argon2': 'Passwords are checked in WebAssembly, a few times slower.',
  sharp: 'Pictures cannot be uploaded.',
} as const

/** Packages that are installed without their binary for a machine. */
export function findLeftOut(
  system: System = thisSystem(),
  from: string = import.meta.url,
): readonly LeftOut[] {
  return Object.entries(consequences).flatMap(([name, consequence]) => {
    const found = findPackage(name, from)
    if (found === undefined) return []
    const binaries = Object.entries(found.optionalDependencies)
    // npm installs those alone that are for this machine.
    if (binaries.some(([binary]) => findPackage(binary, found.path) !== undefined)) return []
    const missing = binaries
      .filter(([binary]) => isFor(binary, system))
      .map(([binary, version]) => `${binary}@${version}`)
    return [{ name: name as LeftOut['name'], consequence, missing }]
  })
}

/** Whether the name of a binary package is of a system: `@img/sharp-linuxmusl-x64`, `@node-rs/argon2-linux-x64-gnu`. */
function isFor(binary: string, { platform, arch, glibc }: System): boolean {
  const endings =
    platform === 'linux'
      ? glibc === undefined
        ? [`-linuxmusl-${arch}`, `-linux-${arch}-musl`]
        : [`-linux-${arch}`, `-linux-${arch}-gnu`]
      : [`-${platform}-${arch}`, `-${platform}-${arch}-msvc`]
  return endings.some((ending) => binary.endsWith(ending))
}

/** What to do about one, as a sentence. */
export const remedyOf = ({ missing }: Pick<LeftOut, 'missing'>): string =>
  missing.length === 0
    ? 'There is no binary of it for this machine.'
    : `To have it: npm install ${missing.join(' ')}`
