export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Name to addresses, cached for the answers' TTL but at most 60 s; hosts file first. */
export interface Resolver {
  /** Every address, in the order to try them. Throws ResolveError. */
  resolve(host: string, signal?: AbortSignal): Promise<readonly ResolvedAddress[]>;
}
