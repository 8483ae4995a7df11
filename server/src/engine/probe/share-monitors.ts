/**
 * Which of several probes of one location checks which monitor: rendezvous hashing. Every probe
 * computes the same answer from the same list; one that leaves gives its monitors evenly to the
 * others, one that comes takes an even share, and no other monitor moves.
 */

/** 32-bit FNV-1a: a probe's uuid as a number. */
function seedOf(probeId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < probeId.length; index += 1) {
    hash = Math.imul(hash ^ probeId.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** How much a probe wants a monitor: murmur3's finaliser over both numbers. */
function weight(seed: number, monitorId: number): number {
  let hash = Math.imul(monitorId, 0x9e3779b1) ^ seed;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ seed, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The part of `monitorIds` that `probeId` checks while the probes of `live` (itself among them) are there. */
export function shareOf(probeId: string, live: readonly string[], monitorIds: readonly number[]): number[] {
  const own = seedOf(probeId);
  const others = live
    .filter((other) => other !== probeId)
    .map((other) => ({ seed: seedOf(other), isBefore: other < probeId }));
  return monitorIds.filter((monitorId) => {
    const mine = weight(own, monitorId);
    return others.every(({ seed, isBefore }) => {
      const theirs = weight(seed, monitorId);
      return theirs < mine || (theirs === mine && !isBefore);
    });
  });
}
