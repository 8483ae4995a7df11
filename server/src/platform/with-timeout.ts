/** The work's result or, after `ms`, that of `onTooLong`, which may throw. A later failure is ignored. */
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
