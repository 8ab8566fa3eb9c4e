/**
 * Patches a copy of an ELF library linked against glibc 2.38 so that it loads on glibc 2.36 and 2.37.
 *
 * The engine's files import only seven symbols of version `GLIBC_2.38`: `fmod`, which differs only in error reporting,
 * and six `__isoc23_*` functions such as `__isoc23_strtol`, which is `strtol` with C23's binary literals. The patch
 * redirects them to their equivalents of version `GLIBC_2.2.5`, and changes nothing else.
 */

/** The patched copy, and the redirected symbols. */
export type Relinked = Readonly<{ image: Buffer; symbols: readonly string[] }>

const newVersion = 'GLIBC_2.38'
const baseVersion = 'GLIBC_2.2.5'
const c23Prefix = '__isoc23_'

const sectionType = { dynamicSymbols: 11, versionNeeds: 0x6ffffffe, versions: 0x6fffffff } as const
const symbolSize = 24
const weakFlag = 2

/** Returns a patched copy of `source`. Throws if the structure or the symbols of the file are not as expected. */
export function relink(source: Buffer): Relinked {
  const image = Buffer.from(source)
  const sections = readSections(image)
  const dynamicSymbols = sectionOf(sections, sectionType.dynamicSymbols)
  const versions = sectionOf(sections, sectionType.versions)
  const names = sections[dynamicSymbols.link]
  if (!names) throw new Error('not a dynamic library: its symbol names are missing')

  const moves = weakenNewVersion(image, sectionOf(sections, sectionType.versionNeeds), names.offset)
  const symbols: string[] = []
  for (let index = 0; index < dynamicSymbols.size / symbolSize; index++) {
    const versionAt = versions.offset + index * 2
    const base = moves.get(image.readUInt16LE(versionAt) & 0x7fff)
    if (base === undefined) continue
    const nameAt = dynamicSymbols.offset + index * symbolSize
    const nameOffset = image.readUInt32LE(nameAt)
    const name = readName(image, names.offset + nameOffset)
    image.writeUInt16LE(base, versionAt)
    // `__isoc23_strtoul` without its first 9 characters is `strtoul`, so the new offset can point into the old name.
    if (name.startsWith(c23Prefix)) image.writeUInt32LE(nameOffset + c23Prefix.length, nameAt)
    symbols.push(name)
  }
  return { image, symbols }
}

type Section = Readonly<{ type: number; offset: number; size: number; link: number }>

function readSections(image: Buffer): Section[] {
  const isElf64LittleEndian = image.length > 64 && image.readUInt32BE(0) === 0x7f454c46
  if (!isElf64LittleEndian || image[4] !== 2 || image[5] !== 1) {
    throw new Error('not a 64-bit little-endian ELF file')
  }
  const tableOffset = Number(image.readBigUInt64LE(0x28))
  const entrySize = image.readUInt16LE(0x3a)
  const count = image.readUInt16LE(0x3c)
  return Array.from({ length: count }, (_, index) => {
    const at = tableOffset + index * entrySize
    return {
      type: image.readUInt32LE(at + 4),
      offset: Number(image.readBigUInt64LE(at + 24)),
      size: Number(image.readBigUInt64LE(at + 32)),
      link: image.readUInt32LE(at + 40),
    }
  })
}

function sectionOf(sections: readonly Section[], type: number): Section {
  const section = sections.find((one) => one.type === type)
  if (!section) throw new Error(`no section of type 0x${type.toString(16)}`)
  return section
}

/**
 * Makes the requirements of the new version weak, so that the loader accepts a glibc that lacks this version. Returns,
 * for each index of the new version, the index of the same library's base version.
 */
function weakenNewVersion(image: Buffer, needs: Section, namesOffset: number): Map<number, number> {
  const moves = new Map<number, number>()
  for (const library of walk(needs.offset, (at) => image.readUInt32LE(at + 12))) {
    const first = library + image.readUInt32LE(library + 8)
    const entries = [...walk(first, (at) => image.readUInt32LE(at + 12))].map((at) => ({
      at,
      index: image.readUInt16LE(at + 6),
      name: readName(image, namesOffset + image.readUInt32LE(at + 8)),
    }))
    const fresh = entries.find((entry) => entry.name === newVersion)
    if (!fresh) continue
    const base = entries.find((entry) => entry.name === baseVersion)
    if (!base) throw new Error(`a library is needed at ${newVersion} and not at ${baseVersion}`)
    image.writeUInt16LE(image.readUInt16LE(fresh.at + 4) | weakFlag, fresh.at + 4)
    moves.set(fresh.index, base.index)
  }
  return moves
}

/** Iterates a linked list in an ELF file, whose entries contain the distance to the next; 0 ends the list. */
function* walk(first: number, distance: (at: number) => number): Generator<number> {
  for (let at = first; ;) {
    yield at
    const step = distance(at)
    if (step === 0) return
    at += step
  }
}

function readName(image: Buffer, at: number): string {
  return image.toString('latin1', at, image.indexOf(0, at))
}
