export const isGzip = (start: Uint8Array): boolean => start[0] === 0x1f && start[1] === 0x8b

/** Bytes that identify a tar, and their offset. */
const tarMark = Buffer.from('ustar')
const tarMarkAt = 257

export const isTar = (start: Uint8Array): boolean =>
  tarMark.equals(start.subarray(tarMarkAt, tarMarkAt + tarMark.length))

const zstdMark = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

export const isZstd = (start: Uint8Array): boolean =>
  zstdMark.equals(start.subarray(0, zstdMark.length))
