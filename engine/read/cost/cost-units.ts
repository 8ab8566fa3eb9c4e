/** Duration of one unit of cost, in milliseconds. */
export const unitMs = 0.01

/**
 * Costs of work in all processes together, in units of about 10 µs. Measured on documents of 1.3 to 5 KB with the
 * embedded engine (medians, 2 cores).
 */
export const costs = {
  /** Scanning an index entry without fetching its document. */
  passed: 0.05,
  /** Fetching and testing a document, from memory. */
  scanned: 0.2,
  /** Fetching one byte of a document, if the collection is larger than the memory of the database: 125 MB/s. */
  scannedByte: 0.0008,
  /** Applying one more test to a document. */
  tested: 0.02,
  /** Preparing a regular expression for one searched string. */
  statedText: 20,
  /**
   * Searching one byte of a stored string for one searched string. This takes 1 ns in the embedded engine and in
   * MongoDB. If the search ignores case, some letters take longer: up to 2 ns in the embedded engine and 5 ns in
   * MongoDB. These are letters with variants beyond ASCII: `é`, and in MongoDB also `s` and `k`.
   */
  searchedByte: 0.0002,
  /** Converting a number to a string: 2 to 5 µs for an integer, up to 40 µs for a double of 17 digits. */
  numberText: 0.5,
  /** Following a path in JSON: 3 µs for one name. */
  jsonPath: 0.5,
  /** Looking up the sort key of a document in another collection. */
  lookedUp: 10,
  /** Grouping a document by one value, or adding up a value: 0.6 to 1.7 µs. */
  grouped: 0.1,
  /** Comparing a version with another version of its document. The other version is found by its key. */
  compared: 3,
  /** Finding an entry by its reference in an index scan, which reads the entries of one target after the other. */
  indexScanned: 1,
  /** Sorting a target in advance, and sending its rank in the command that sorts the entries. */
  ranked: 1,
  /** Sending a command. This takes the database 0.16 ms and the client 0.26 ms. */
  command: 40,
  /** Filtering or sorting through a relation. The relation is read for all entries, not only for those on the page. */
  link: 50,
  /**
   * `shown`: showing a document, which includes finding it, sending it and writing it as JSON. `shownByte`: the
   * additional cost of each byte.
   */
  shown: 0.25,
  shownByte: 0.00075,
  /** Showing a document again: its JSON is copied. */
  copied: 0.25,
  /** Copying, hashing and sending one byte of the response. */
  answerByte: 0.00015,
}

/**
 * Values that are assumed if nothing is known about the data. `documentBytes`, `textBytes` and `groupBytes`: bytes of a
 * document, of a string and of a group's value. `fanOut`: number of targets of a to-many relation.
 */
export const assumed = { documentBytes: 1000, textBytes: 200, fanOut: 5, groupBytes: 40 }

/** Collections with more bytes than this are assumed to be read from disk. */
export const memoryBytes = 1_000_000_000
