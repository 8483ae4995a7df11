/**
 * How long a client may take to send its request and to read the answer, and how much is read of what nobody wants.
 * Milliseconds.
 */
export interface RequestLimits {
  /** For header and body together. */
  requestMs: number;
  /** For the header, from the connection or the answer before. */
  headersMs: number;
  /** How often the limits are looked at. */
  checkMs: number;
  /** From then on a body must have come at `leastBytesPerSecond` on average. */
  slowAfterMs: number;
  leastBytesPerSecond: number;
  /** How much is read and dropped of a request that was answered before it was complete. */
  dropBytes: number;
  /** And for how long. */
  dropMs: number;
  /** When nothing more of it comes for this long, the connection ends. */
  dropIdleMs: number;
  /** A connection that carries a request, and over which nothing moves for so long, is ended: nobody reads the answer. */
  stallMs: number;
  /** How many requests may wait for their turn, each with what Node keeps of one (begin-in-turns.ts). */
  waiting: number;
}

/**
 * A body is 256 KB at most: this is enough for clients on the worst of lines, and too little for those that want to
 * block connections.
 */
export const REQUEST_LIMITS: RequestLimits = {
  requestMs: 30_000,
  headersMs: 15_000,
  checkMs: 1_000,
  slowAfterMs: 10_000,
  leastBytesPerSecond: 500,
  dropBytes: 32 * 1024 * 1024,
  dropMs: 30_000,
  dropIdleMs: 5_000,
  stallMs: 60_000,
  waiting: 4_000,
};
