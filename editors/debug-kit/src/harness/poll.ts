// Waiting in tests, always with an end.

/** How long to wait, in milliseconds. */
export interface Patience { timeout?: number; every?: number; what?: string }

/** Milliseconds after which a test counts something as missing; machines of tests are shared. */
export const PATIENCE = 60_000;

/** A promise that is fulfilled after some milliseconds. */
export function delay(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds));
}

/**
 * Asks again and again until the answer is neither undefined, null nor false; a `probe` that throws has not answered yet. Throws an Error with
 * what was waited for, and the last thing thrown, when the time is over.
 */
export async function until<T>(probe: () => T | Promise<T>, patience: Patience = {}): Promise<NonNullable<T>> {
  const end = Date.now() + (patience.timeout ?? PATIENCE);
  let last: unknown;
  for (;;) {
    try {
      const answer = await probe();
      if (answer !== undefined && answer !== null && answer !== false) return answer as NonNullable<T>;
    } catch (e) {
      last = e;
    }
    if (Date.now() >= end)
      throw new Error(`${patience.what ?? 'what was waited for'} did not come${last ? `: ${String(last)}` : ''}`);
    await delay(patience.every ?? 20);
  }
}

/** The promise's result, or an Error with `what` when the time is over. */
export function within<T>(promise: Promise<T>, what: string, timeout = PATIENCE): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} did not come within ${timeout} ms`)), timeout);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
