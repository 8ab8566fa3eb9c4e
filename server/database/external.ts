const nothing = (): Promise<void> => Promise.resolve()

/** A MongoDB that others run: there is nothing to start and nothing to stop. */
export function externalHost(uri: string) {
  return Object.freeze({
    uri,
    embedded: false,
    alone: false,
    restarts: () => 0,
    claim: nothing,
    stop: nothing,
  })
}
