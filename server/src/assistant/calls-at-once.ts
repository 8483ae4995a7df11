/** How many calls a person may have under way in this process. */
const AT_ONCE = 20;

/** The calls that people have under way. */
export interface CallsAtOnce {
  /** Takes room for so many more. Gives what frees it again, or null where there is none. */
  take(userId: number, count: number): (() => void) | null;
}

/** Counts calls from the moment they are let in: what is only counted once it runs lets in all that come together. */
export function limitCalls(): CallsAtOnce {
  const taken = new Map<number, number>();
  return {
    take(userId, count) {
      const before = taken.get(userId) ?? 0;
      if (before + count > AT_ONCE) return null;
      taken.set(userId, before + count);
      let isFreed = false;
      return () => {
        if (isFreed) return;
        isFreed = true;
        const left = (taken.get(userId) ?? 0) - count;
        if (left > 0) taken.set(userId, left);
        else taken.delete(userId);
      };
    },
  };
}
