/** Milliseconds of one unit of cost. */
export const unitMs = 0.01

/**
 * What work costs, in a unit of about 10 µs, wherever it is done. Measured on documents of 1.3 to 5 KB with the
 * embedded engine (medians, 2 cores).
 */
export const costs = {
  /** An index entry that is passed. */
  passed: 0.05,
  /** A document that is fetched and tested, from memory. */
  scanned: 0.2,
  /** One of its bytes where a collection is larger than the database keeps in memory: 125 MB/s. */
  scannedByte: 0.0008,
  /** One more test of a document. */
  tested: 0.02,
  /** A text that is searched for, before any entry is asked: an expression of its own. */
  statedText: 20,
  /**
   * A byte that is searched for one text: 1 ns in the embedded engine and in MongoDB. Up to 2 and 5 ns if the search
   * ignores the case of a letter that has variants beyond ASCII (`é`, and in MongoDB `s` and `k`).
   */
  searchedByte: 0.0002,
  /** A number that is converted to text: 2 to 5 µs for an integer, up to 40 for a double of 17 digits. */
  numberText: 0.5,
  /** A path in JSON that is followed: 3 µs for one name. */
  jsonPath: 0.5,
  /** A document whose sort key is looked up in another collection. */
  lookedUp: 10,
  /** A value by which a document is grouped, or that is added up: 0.6 to 1.7 µs. */
  grouped: 0.1,
  /** A version that is compared with another of its document, which is found by its key. */
  compared: 3,
  /** A document that is found by its reference, on a walk in the order of targets. */
  walked: 1,
  /** A document that is put in order beforehand, with its rank in the command that sorts by it. */
  ranked: 1,
  /** A command of its own: 0.16 ms of the database, 0.26 of the client. */
  command: 40,
  /** A relation that is filtered or sorted through: it is asked about entries beyond the page. */
  link: 50,
  /** A document that is read to be shown, and one of its bytes: found, sent, and written as JSON. */
  shown: 0.25,
  shownByte: 0.00075,
  /** One that is shown again: its JSON is copied. */
  copied: 0.25,
  /** A byte of the answer: copied, hashed, sent. */
  answerByte: 0.00015,
}

/** Where nothing is known of the data: bytes of a document, of a text, and targets of a to-many relation. */
export const assumed = { documentBytes: 1000, textBytes: 200, fanOut: 5, groupBytes: 40 }

/** Bytes of a collection beyond which it is taken to be read from disk. */
export const memoryBytes = 1_000_000_000
