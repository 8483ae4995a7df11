/**
 * A latency histogram that merges: counts in buckets whose bounds grow by a constant factor, so that
 * a percentile is off by at most 2 % of its value (DDSketch: Masson, Rim, Lee, VLDB 2019).
 *
 * Bytes: parts one after another, each `n, (step, count) × n`, all LEB128 varints; `step` is the
 * distance to the part's previous bucket. Hence merging is concatenation, which a database can do by
 * itself; compactHistogram makes one part of many.
 */
const ACCURACY = 0.02;
const GAMMA = (1 + ACCURACY) / (1 - ACCURACY);
const LOG_GAMMA = Math.log(GAMMA);
/** A week in microseconds: the longest that a job may run. No check takes as long as a minute. */
const MAX_US = 604_800_000_000;
const BUCKETS = bucketOf(MAX_US) + 1;

/** The bucket of a latency: bucket i holds (GAMMA^(i-1), GAMMA^i]. Outside 1 us … 7 days: the nearest. */
function bucketOf(us: number): number {
  return us <= 1 ? 0 : Math.ceil(Math.log(Math.min(us, MAX_US)) / LOG_GAMMA);
}

/** The value that is at most ACCURACY away from everything in the bucket. */
const middleOf = (bucket: number) => (bucket === 0 ? 1 : (2 * GAMMA ** bucket) / (GAMMA + 1));

/** The histogram of some latencies in microseconds. Empty for none. */
export function encodeHistogram(valuesUs: readonly number[]): Uint8Array {
  if (valuesUs.length === 1) return encodeOne(bucketOf(valuesUs[0] as number));
  const counts = new Float64Array(BUCKETS);
  for (const us of valuesUs) {
    const bucket = bucketOf(us);
    counts[bucket] = (counts[bucket] as number) + 1;
  }
  return encodeCounts(counts);
}

/** Most histograms that are written hold the one latency of one check. */
function encodeOne(bucket: number): Uint8Array {
  return bucket < 128
    ? new Uint8Array([1, bucket, 1])
    : new Uint8Array([1, (bucket % 128) | 128, Math.floor(bucket / 128), 1]);
}

/** One part out of any number of parts: what a stored histogram is replaced by when it has grown long. */
export function compactHistogram(parts: readonly Uint8Array[]): Uint8Array {
  const counts = new Float64Array(BUCKETS);
  for (const part of parts) {
    forEachBucket(part, (bucket, count) => {
      counts[bucket] = (counts[bucket] as number) + count;
    });
  }
  return encodeCounts(counts);
}

/** Microseconds, by the nearest rank; null each when nothing was measured. Percentages 0…100. */
export function percentiles(parts: readonly Uint8Array[], percentages: readonly number[]): (number | null)[] {
  const counts = new Float64Array(BUCKETS);
  for (const part of parts) {
    forEachBucket(part, (bucket, count) => {
      counts[bucket] = (counts[bucket] as number) + count;
    });
  }
  return percentilesOf(counts, percentages);
}

function percentilesOf(counts: Float64Array, percentages: readonly number[]): (number | null)[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return percentages.map((percentage) =>
    total === 0 ? null : atRank(counts, Math.ceil((percentage / 100) * total)),
  );
}

/** Sums in rows, so that only these are stored for any number of histograms. */
export interface HistogramSums {
  add(histogram: Uint8Array, row: number, other: number): void;
  /** Of the rows `from` to before `to` together. */
  percentiles(rows: { from: number; to: number }, percentages: readonly number[]): (number | null)[];
  clear(from: number): void;
}

/** So many rows, all empty. */
export function sumHistograms(rows: number): HistogramSums {
  const counts = new Uint32Array(rows * BUCKETS);
  return {
    add(histogram, row, other) {
      const [one, two] = [row * BUCKETS, other * BUCKETS];
      forEachBucket(histogram, (bucket, count) => {
        counts[one + bucket] = (counts[one + bucket] as number) + count;
        counts[two + bucket] = (counts[two + bucket] as number) + count;
      });
    },
    percentiles({ from, to }, percentages) {
      const sums = Float64Array.from(counts.subarray(from * BUCKETS, (from + 1) * BUCKETS));
      for (let at = (from + 1) * BUCKETS; at < to * BUCKETS; at += 1) {
        const bucket = at % BUCKETS;
        sums[bucket] = (sums[bucket] as number) + (counts[at] as number);
      }
      return percentilesOf(sums, percentages);
    },
    clear: (from) => void counts.fill(0, from * BUCKETS),
  };
}

export function percentile(parts: readonly Uint8Array[], percentage: number): number | null {
  return percentiles(parts, [percentage])[0] ?? null;
}

function atRank(counts: Float64Array, rank: number): number {
  let seen = 0;
  let last = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count === 0) continue;
    seen += count;
    last = bucket;
    if (seen >= rank) break;
  }
  return Math.round(middleOf(last));
}

/** Throws a RangeError on bytes that are no histogram. */
function forEachBucket(bytes: Uint8Array, visit: (bucket: number, count: number) => void): void {
  let at = 0;
  const next = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError("A histogram ends in the middle of a number.");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    let bucket = 0;
    for (let left = next(); left > 0; left -= 1) {
      bucket += next();
      visit(Math.min(bucket, BUCKETS - 1), next());
    }
  }
}

/** `counts`: by bucket. */
function encodeCounts(counts: Float64Array): Uint8Array {
  const bytes: number[] = [];
  let filled = 0;
  let previous = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const count = counts[bucket] as number;
    if (count === 0) continue;
    filled += 1;
    pushNumber(bytes, bucket - previous);
    pushNumber(bytes, count);
    previous = bucket;
  }
  if (filled === 0) return new Uint8Array();
  const head: number[] = [];
  pushNumber(head, filled);
  return new Uint8Array([...head, ...bytes]);
}

/** LEB128. */
function pushNumber(bytes: number[], number: number): void {
  let value = number;
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  bytes.push(value);
}
