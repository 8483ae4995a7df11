/** An address to connect to. */
export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** What is known of a name. One answer may be shared by many: it is read, never changed. */
export interface Resolution {
  /** Every address that is known yet, in the order to try them. */
  addresses: readonly ResolvedAddress[];
  /** What the family that has not answered yet still brings, nothing if it fails; null when both have answered. */
  late: Promise<readonly ResolvedAddress[]> | null;
}
