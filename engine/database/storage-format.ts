/** The number of the form in which content is stored; every change of that form raises it (docs/storage.md, "Formats"). */
export const storageFormat = 3
