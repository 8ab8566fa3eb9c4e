/** Version of the storage format. Increment it with every change of the format (docs/internals/storage.md, "Formats"). */
export const storageFormat = 3
