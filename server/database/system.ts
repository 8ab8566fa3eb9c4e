import { processReport } from './process-report.js'

/** What decides which databases can run on a machine. */
export type System = Readonly<{
  platform: NodeJS.Platform
  arch: string
  /** Version of glibc; undefined on musl and outside Linux. */
  glibc: string | undefined
}>

/** Returns the properties of this machine. */
export function thisSystem(): System {
  const { platform, arch } = process
  return { platform, arch, glibc: processReport().header?.glibcVersionRuntime }
}

/** How the embedded engine runs: directly, relinked for an older glibc, or not at all. */
export type EmbeddedSupport =
  Readonly<{ kind: 'direct' | 'relinked' }> | Readonly<{ kind: 'none'; reason: string }>

/** Considers only `System`. A system that is too old for other reasons fails when the engine starts. */
export function embeddedSupport({ platform, arch, glibc }: System): EmbeddedSupport {
  if (platform === 'darwin' && arch === 'arm64') return { kind: 'direct' }
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64'))
    return none(`there is no build of it for ${nameOf(platform)} on ${arch}`)
  if (glibc === undefined) return none('this Linux has no glibc (Alpine has musl instead)')
  const [major = 0, minor = 0] = glibc.split('.').map(Number)
  if (major > 2 || (major === 2 && minor >= 38)) return { kind: 'direct' }
  if (arch === 'x64' && major === 2 && minor >= 36) return { kind: 'relinked' }
  return none(`it needs glibc ${arch === 'x64' ? '2.36' : '2.38'}, here is ${glibc}`)
}

const none = (reason: string): EmbeddedSupport => ({ kind: 'none', reason })

/** Advice for a system without the embedded engine. On Linux, omits the download: MongoDB has no builds for musl. */
export function adviceWithoutEngine(platform: NodeJS.Platform): string {
  const looked =
    platform === 'linux'
      ? 'Install MongoDB and set database.mongod=auto'
      : 'Install MongoDB and set database.mongod to the path of its mongod, or database.mongod=auto with database.download=true'
  return `${looked}; or set MONGODB_URI to a MongoDB server.`
}

const nameOf = (platform: NodeJS.Platform): string =>
  ({ darwin: 'macOS', win32: 'Windows' })[platform as string] ?? platform
