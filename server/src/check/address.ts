/** An address to connect to. */
export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** What is known about a name. Many checks may share one: read it, never change it. */
export interface Resolution {
  /** Every address known so far, in the order to try them. */
  addresses: readonly ResolvedAddress[];
  /** What the family that has not answered yet will bring, nothing if it fails; null when both have answered. */
  late: Promise<readonly ResolvedAddress[]> | null;
}
