/**
 * What becomes of the work or, where that takes longer than `ms` milliseconds, of `onTooLong`, which may throw. The work goes on;
 * a later failure of it is ignored.
 */
export async function withTimeout<T>(work: Promise<T>, ms: number, onTooLong: () => T): Promise<T> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), ms);
  const done = work.then((value) => ({ value }));
  done.catch(() => undefined);
  try {
    const first = await Promise.race([done, late.promise]);
    return first === null ? onTooLong() : first.value;
  } finally {
    clearTimeout(timer);
  }
}
