import type { DeploymentFacts } from "../../store/queries/deployments.ts";
import type { Fact } from "../../texts/fact.ts";
import type { Json } from "../read-json.ts";

/** A request as it came; header names in lower case. */
export interface Delivered {
  body: Buffer;
  header(name: string): string | undefined;
  /** Milliseconds. */
  now: number;
}

/** A deployment that a forge tells of. */
export interface ForgeNews {
  /** The forge's own name for it. */
  externalId: string;
  /** When this became true, milliseconds. */
  toldAt: number;
  facts: DeploymentFacts;
}

/** A forge: a file each. */
export interface Forge {
  /** Whether whoever sent it knows the secret. */
  isSigned(delivered: Delivered, secret: string): boolean;
  /** Why it could sign nothing with this secret; null: it could. */
  secretProblem?(secret: string): Fact | null;
  /** What it says; null for what tells of no deployment. */
  read(event: string, json: Json): ForgeNews | null;
  /** The header that says of what kind it is. */
  eventHeader: string;
}
