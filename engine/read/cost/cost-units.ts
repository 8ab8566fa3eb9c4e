export const unitMs = 0.01

/**
 * Costs of the work in all processes together, in units of about 10 µs. Measured on documents of 1.3 to 5 KB with the
 * embedded engine (medians, 2 cores).
 */
export const costs = {
  /** Scanning an index entry without fetching its document. */
  passed: 0.05,
  /** Fetching a document from memory. */
  scanned: 0.2,
  /** Fetching a byte of a collection that is larger than the database's memory: 125 MB/s. */
  scannedByte: 0.0008,
  /** Applying a test to a document. */
  tested: 0.02,
  /** Preparing a regular expression for one searched string. */
  statedText: 20,
  /**
   * Searching one byte of a stored string: 1 ns. If the search ignores case, letters with variants beyond ASCII take up
   * to 2 ns in the embedded engine and 5 ns in MongoDB: `é`, and in MongoDB also `s` and `k`.
   */
  searchedByte: 0.0002,
  /** Computing the tested value of a document: a number as text takes 2 to 40 µs, a name in JSON 3 µs. */
  computed: 0.5,
  /** Looking up the sort key of a document in another collection. */
  lookedUp: 10,
  /** Grouping a document by one value, or adding up a value: 0.6 to 1.7 µs. */
  grouped: 0.1,
  /** Finding another version of a document by key, and comparing the two. */
  compared: 3,
  /** Finding an entry by its reference in an index scan. */
  indexScanned: 1,
  /** Sorting a target in advance, and sending its rank. */
  ranked: 1,
  /** Sending a command: 0.16 ms in the database, 0.26 ms in the client. */
  command: 40,
  /** Filtering or sorting through a relation. The relation is read for all entries, not only for those on the page. */
  link: 50,
  /** Finding and sending a document, and writing its JSON. `shownByte` is added for each byte. */
  shown: 0.25,
  shownByte: 0.00075,
  /** Copying, hashing and sending one byte of the response. */
  answerByte: 0.00015,
}

/**
 * Assumed if nothing is known. `groupBytes`: bytes of one value in a group. `fanOut`: targets per entry in a to-many
 * relation.
 */
export const assumed = { documentBytes: 1000, textBytes: 200, fanOut: 5, groupBytes: 40 }

/** Larger collections are assumed to be read from disk. */
export const memoryBytes = 1_000_000_000
