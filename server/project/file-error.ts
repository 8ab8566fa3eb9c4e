import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Returns why a path cannot be used, such as `there is no folder /backups`; undefined if the reason is unknown.
 * @param path requested path, if the error has no path or a different one
 */
export function fileErrorReason(error: unknown, path = pathOf(error)): string | undefined {
  const { code } = error as NodeJS.ErrnoException
  if (path === undefined) return undefined
  switch (code) {
    case 'ENOENT': {
      const folder = dirname(path)
      return existsSync(folder) ? 'there is no such file or folder' : `there is no folder ${folder}`
    }
    case 'ENOTDIR':
      return 'a file is where a folder is expected'
    case 'EISDIR':
      return 'it is a folder, and a file is expected'
    case 'EACCES':
    case 'EPERM':
      return 'this user has no permission to use it'
    default:
      return undefined
  }
}

/** Returns the path in a file system error. Returns undefined for `spawn`, whose path is the name of a program. */
export function pathOf(error: unknown): string | undefined {
  const { path, syscall = '' } = error as NodeJS.ErrnoException
  return syscall.startsWith('spawn') ? undefined : path
}
