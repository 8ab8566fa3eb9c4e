/** Version of the storage format. Every change of the format raises it (docs/storage.md, "Formats"). */
export const storageFormat = 3
