import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Says why a file or folder cannot be used: `there is no folder /backups`.
 * @param path what was asked for, where the error names another path, or none
 * @returns undefined for an error that says nothing of a path
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
      return 'this user may not use it'
    default:
      return undefined
  }
}

/** The path that an error of the file system names. One of `spawn` names a program instead. */
export function pathOf(error: unknown): string | undefined {
  const { path, syscall = '' } = error as NodeJS.ErrnoException
  return syscall.startsWith('spawn') ? undefined : path
}
