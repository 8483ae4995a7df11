import type { Severity } from "../store/queries/monitors.ts";
import type { DomainCheck } from "./domain-check.ts";

/** Everything a person may set of a domain, secrets in the clear. */
export interface DomainSettings {
  name: string;
  /** Normalised; `displayUrl` is the same as typed. */
  url: string;
  displayUrl: string;
  check: DomainCheck;
  intervalSeconds: number;
  timeoutSeconds: number;
  enabled: boolean;
  /** Location codes; null means every location. */
  locations: string[] | null;
  confirmations: number;
  recoveries: number;
  /** Between a check that did not settle the status and the one made to settle it. */
  recheckDelaySeconds: number;
  severity: Severity;
  tags: string[];
}

/** What was sent: any subset. Bounds of single fields are the wire schema's and hold already. */
export type DomainInput = Partial<Omit<DomainSettings, "displayUrl" | "check" | "name">> & {
  /** Null or absent at creation: the URL's host. */
  name?: string | null;
  check?: DomainCheck;
};
