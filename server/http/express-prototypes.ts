import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Constructors for `http.createServer` whose objects have the prototypes that Express gives every request
 * and response. Changing the prototype of an object that exists makes V8 forget what it knows of it; one
 * that is right from the start makes a read of one document cost 0.60 ms of the main process's CPU
 * instead of 0.80.
 */
export const expressConstructors = ({ request, response }: Express) => ({
  IncomingMessage: constructing(IncomingMessage, request),
  ServerResponse: constructing(ServerResponse, response),
})

/** `Reflect.construct` would do as well, but what it makes is as slow as what had its prototype changed. */
function constructing<T extends typeof IncomingMessage | typeof ServerResponse>(
  base: T,
  prototype: object,
): T {
  // Node's two are functions, not classes, so they can be called on an object that is made already.
  const initialise = base as unknown as (this: object, ...parts: readonly unknown[]) => void
  function Constructor(this: object, first: unknown, second: unknown): void {
    initialise.call(this, first, second)
  }
  Constructor.prototype = prototype
  return Constructor as unknown as T
}
