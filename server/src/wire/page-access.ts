import { Type } from "typebox";
import { usual } from "./monitor-input.ts";
import { PASSWORD_LENGTH } from "./password-length.ts";

const MAX_NETWORKS = 100;

/** Who of those who find a page may see it, beside the members of its organization. */
export const pageAccess = {
  password: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      minLength: PASSWORD_LENGTH.least,
      maxLength: PASSWORD_LENGTH.most,
      format: "password",
      description: "What visitors have to know; null: nothing. It is never returned: see `hasPassword`.",
    }),
  ),
  allowedNetworks: Type.Optional(
    Type.Array(Type.String({ maxLength: 100, format: "network" }), {
      maxItems: MAX_NETWORKS,
      description:
        "Addresses and networks (CIDR) that visitors come from; for all others there is no such page. Default: [], which is everywhere.",
      examples: [["192.0.2.0/24", "2001:db8::/32"]],
      ...usual([]),
    }),
  ),
};
